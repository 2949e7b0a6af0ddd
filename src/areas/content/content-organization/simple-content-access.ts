import { z } from 'zod'
import type { Field } from '../../../kernel/index.ts'
import { NOT_BOOLEAN, toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import type { AccessMode } from './access-mode.ts'

const DOC = 'Whether hosts get all content of their environment regardless of subscriptions; true by default.'

/** The field that shows and sets the access mode as a boolean (content-api §8.5). */
export function simpleContentAccess(): Field<AccessMode> {
  return {
    kind: 'access mode',
    doc: DOC,
    writable: ({ name }) => ({
      [name]: { schema: () => z.boolean({ error: NOT_BOOLEAN }).meta({ description: DOC }), coerce: toBoolean },
    }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.boolean().meta({ description: DOC }),
        sql: (alias) => sql`(${sql.ref(`${alias}.content_access_mode`)} = 'org_environment')`,
      },
    }),
    search: ({ name }) => [
      {
        name,
        type: 'choice',
        column: 'content_access_mode',
        values: { true: 'org_environment', false: 'entitlement' },
        explicit: true,
      },
    ],
    column: () => ({ name: 'content_access_mode', type: 'text', nullable: false }),
    read: async (_ctx, { name }, sent) =>
      sent[name] === undefined ? undefined : sent[name] ? 'org_environment' : 'entitlement',
  }
}
