import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import type { FieldErrors } from '../../../errors.ts'
import { boolean, type Draft, defineResource, link, text } from '../../../kernel/index.ts'
import { requireWords, SearchError } from '../../../search/index.ts'

const KEYS = ['name', 'controller', 'query', 'public', 'id', 'owner_id', 'owner_type', 'created_at', 'updated_at']

/** Searches with a name, for their author or for everybody. */
export const bookmarks = defineResource({
  name: 'bookmark',
  summary: 'A search that is kept under a name.',
  fields: {
    name: text({
      required: true,
      search: 'free',
      doc: 'Unique for its kind of records, among public ones or the own.',
    }),
    controller: text({
      required: true,
      pattern: { regexp: /^\S+$/, message: 'must be the word of a kind of records, such as hosts' },
      search: 'free',
      doc: 'The kind of records that it searches, in the plural of paths.',
    }),
    query: text({ required: true, max: 4096, doc: 'The search.' }),
    public: boolean({ initial: false, doc: 'Whether everybody finds it; else its owner alone.' }),
    owner: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who created the bookmark.' }),
  },
  words: {
    called: ({ name }) => String(name),
  },
  views: { list: KEYS, show: KEYS, order: 'name' },
  readable: {
    owner_type: {
      schema: () => z.literal('User').meta({ description: 'Type of the owner.' }),
      sql: () => sql`'User'`,
    },
  },
  records: { where: limitToPublicOrOwn },
  rules: [validateQuery],
  around: { create: (ctx, draft, next) => next({ ...draft, owner: ctx.user.id }) },
})

/** Refuses a search that cannot be read. Its fields are not looked at: clients keep searches of records that are not here. */
function validateQuery(_record: Draft, { query }: Draft): FieldErrors | undefined {
  try {
    if (typeof query === 'string') requireWords(query)
  } catch (error) {
    if (error instanceof SearchError) return { query: [error.message] }
    throw error
  }
  return undefined
}

/** Leaves public bookmarks and the caller's own; all for administrators. */
function limitToPublicOrOwn({ user }: Context, alias: string): Sql {
  if (user.admin) return sql`true`
  return sql`(${sql.ref(`${alias}.public`)} or ${sql.ref(`${alias}.owner_id`)} = ${user.id})`
}
