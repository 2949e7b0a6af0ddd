import { z } from 'zod'
import { writeAudits } from '../../../database/audits.ts'
import { type Field, typeOf } from '../../../kernel/index.ts'
import { formatTooLong, NOT_TEXT, toText } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'

const LONGEST = 255

/** A field for a comment on a change. It is stored in the audit of the change only, and dropped if nothing changes. */
export function auditComment(doc: string): Field<string | null> {
  const schema = z
    .string({ error: NOT_TEXT })
    .refine((value) => [...value].length <= LONGEST, formatTooLong(LONGEST))
    .nullable()
    .meta({ description: doc, maxLength: LONGEST })
  return {
    kind: 'comment',
    doc,
    writable: ({ name }) => ({ [name]: { schema: () => schema, coerce: toText } }),
    readable: () => ({}),
    search: () => [],
    saveNested: async (ctx, { resource }, id, comment) => {
      if (!comment) return
      await writeAudits(ctx.db)
      await sql`
        update audits set comment = ${comment} where id = (
          select max(id) from audits
          where auditable_type = ${typeOf(resource)} and auditable_id = ${id} and request_uuid = ${ctx.origin.requestId})`.execute(
        ctx.db,
      )
    },
  }
}
