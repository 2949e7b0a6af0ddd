import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  boolean,
  type Draft,
  defineResource,
  link,
  type Resource,
  type Stored,
  searchOptionsOf,
  text,
} from '../../../kernel/index.ts'
import { textIn } from '../../../records/text-in.ts'
import { SEARCH } from '../../../requests/languages.ts'
import { compileSearch, SearchError } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

const KEYS = ['name', 'controller', 'query', 'public', 'id', 'owner_id', 'owner_type', 'created_at', 'updated_at']

const fields = {
  name: text({
    required: true,
    search: 'free',
    doc: 'Unique for its kind of records, among public bookmarks or your own.',
  }),
  controller: text({
    required: true,
    pattern: { regexp: /^\S+$/, message: 'must be the word of a kind of records, such as hosts' },
    search: 'free',
    doc: 'The kind of records that it searches, in the plural of paths.',
  }),
  query: textIn(SEARCH, { required: true, max: 4096, doc: 'The search.' }),
  public: boolean({ initial: false, doc: 'Whether all users can see it; otherwise only its owner can.' }),
  owner: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who created the bookmark.' }),
}

type BookmarkFields = typeof fields

/** Searches with a name, for their author or for everybody. */
export const bookmarks = defineResource({
  name: 'bookmark',
  summary: 'A saved search with a name.',
  fields: fields,
  words: {
    called: ({ name }) => name,
  },
  views: { list: KEYS, show: KEYS, order: 'name' },
  readable: {
    owner_type: {
      schema: () => z.literal('User').meta({ description: 'Type of the owner.' }),
      sql: () => sql`'User'`,
    },
  },
  records: { where: limitToPublicOrOwn },
  wrapWrite: {
    create: (ctx, draft, next, resource) => {
      refuseMalformed(ctx, resource, draft, null)
      return next({ ...draft, owner: ctx.user.id })
    },
    update: (ctx, stored, draft, next, resource) => {
      if (draft.query !== undefined || draft.controller !== undefined) refuseMalformed(ctx, resource, draft, stored)
      return next(draft)
    },
  },
})

/** Refuses a search that the records of its kind cannot be searched by. {@throws Failure} invalid */
function refuseMalformed(
  ctx: Context,
  { registry }: Resource,
  draft: Draft<BookmarkFields>,
  stored: Stored<BookmarkFields> | null,
): void {
  const { controller, query } = { ...stored, ...draft }
  const searched = [...registry.values()].find(({ plural }) => plural === controller)
  if (!searched) return // clients keep searches of pages that are none of records
  try {
    compileSearch(searched.searchSchema, query ?? '', searchOptionsOf(ctx))
  } catch (error) {
    if (error instanceof SearchError) throw invalid({ query: [error.message] }, stored?.id ?? null)
    throw error
  }
}

/** Leaves public bookmarks and the caller's own; all for administrators. */
function limitToPublicOrOwn({ user }: Context, alias: string): Sql {
  if (user.admin) return sql`true`
  return sql`(${sql.ref(`${alias}.public`)} or ${sql.ref(`${alias}.owner_id`)} = ${user.id})`
}
