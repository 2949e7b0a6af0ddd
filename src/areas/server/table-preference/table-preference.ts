import { z } from 'zod'
import { Failure } from '../../../errors.ts'
import { defineResource, type Field, link, text } from '../../../kernel/index.ts'
import { readTexts } from '../../../lib/values.ts'
import { NOT_TEXT } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { buildOwnerList, limitToOwned, refuseForOthers } from '../../access/index.ts'

const KEYS = ['id', 'name', 'columns', 'created_at', 'updated_at']

/** The columns that a user wants to see of a table, at paths below the user. */
export const tablePreferences = defineResource({
  name: 'table_preference',
  summary: 'The preferred columns of a user for a table.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'The table; unique among the preferences of its user.' }),
    columns: buildColumns(),
    user: link('user', { required: true, readOnly: true, onDelete: 'cascade', doc: 'Its user.' }),
  },
  operations: ['show', 'create', 'update', 'delete'],
  label: 'name',
  routes: { namedBy: 'label', parents: { user: 'user' }, nestedOnly: true },
  views: { list: KEYS, show: KEYS },
  records: { own: limitToOwned, ownOperations: ['list', 'show', 'create', 'update', 'delete'] },
  wire: { suggests: true },
  wrapWrite: {
    create: async (ctx, draft, next) => {
      refuseForOthers(ctx, draft.user, 'create_table_preferences', createRefusal)
      return next(draft)
    },
  },
  actions: [buildOwnerList('table_preferences', createRefusal)],
})

/** The refusal in the words that existing clients know. */
function createRefusal(permission: string): Failure {
  const details = 'You are trying access the preferences of a different user'
  return new Failure('denied', 'Access denied', { details, missingPermissions: [permission] })
}

function buildColumns(): Field<readonly string[]> {
  const doc = 'Names of columns, in the order in which they are shown.'
  const NOT_COLUMNS = 'must be a list of names of columns'
  return {
    kind: 'columns',
    doc,
    writable: ({ name }) => ({
      [name]: {
        schema: () =>
          z
            .array(z.string({ error: NOT_TEXT }).max(255), { error: NOT_COLUMNS })
            .max(1000)
            .nullable()
            .meta({ description: doc }),
      },
    }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.array(z.string()).meta({ description: doc }),
        sql: (alias) => sql`array_to_json(${sql.ref(`${alias}.${name}`)})`,
      },
    }),
    search: () => [],
    column: ({ name }) => ({ name, type: 'text[]', nullable: false }),
    read: async (_ctx, { name }, sent) => {
      const chosen = readTexts(sent, name)
      return chosen === null ? [] : chosen
    },
  }
}
