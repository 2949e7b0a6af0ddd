import { z } from 'zod'
import type { Field } from '../../../kernel/index.ts'
import { readTexts } from '../../../lib/values.ts'
import { texts } from '../../../records/words.ts'
import { sql } from '../../../sql.ts'

const MOST = 100
const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const NOT_LIST = 'must be a list of words'

/** The field, whose empty list is shown as null. */
export function nullIfEmpty(field: Field<readonly string[]>): Field<readonly string[]> {
  return {
    ...field,
    readable: (at) =>
      Object.fromEntries(
        Object.entries(field.readable(at)).map(([key, shown]) => [
          key,
          {
            ...shown,
            schema: () => z.array(z.string()).nullable().meta({ description: field.doc }),
            sql: (alias) => sql`nullif(${shown.sql(alias)}, '{}')`,
          },
        ]),
      ),
  }
}

/** A field for a list of short texts in order, without repetition. */
export function shortTexts({ doc }: { readonly doc: string }): Field<readonly string[]> {
  const word = z
    .string({ error: NOT_LIST })
    .regex(WORD, 'must be words of letters, digits, dots, dashes and underscores')
  const schema = z.array(word, { error: NOT_LIST }).max(MOST, `has too many words (maximum is ${MOST})`)
  return texts({ kind: 'short texts', doc }, schema, async (_ctx, { name }, sent) => {
    const words = readTexts(sent, name)
    return words === null ? [] : words && [...new Set(words)]
  })
}
