import { z } from 'zod'
import type { Field } from '../../../kernel/index.ts'
import { formatTooLong, toText } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { readTexts } from '../../../values.ts'

const LONGEST = 255
const NOT_NAMES = 'must be a list of names'

/** A field for names of purpose add-ons, sorted and without repetition; any names are allowed (content-api §2.9). */
export function addons(): Field<readonly string[]> {
  const doc = 'Names of the add-ons of its hosts. Replaces the list.'
  const name = z.preprocess(
    toText,
    z.string({ error: NOT_NAMES }).refine((text) => [...text].length <= LONGEST, formatTooLong(LONGEST)),
  )
  return {
    kind: 'addons',
    doc,
    writable: (at) => ({
      [at.name]: {
        schema: () => z.array(name, { error: NOT_NAMES }).nullable().meta({ description: doc }),
        coerce: toNames,
      },
    }),
    readable: (at) => ({
      [at.name]: {
        schema: () => z.array(z.string()).meta({ description: doc }),
        sql: (alias) => sql`array_to_json(${sql.ref(`${alias}.${at.name}`)})`,
      },
    }),
    search: () => [],
    column: (at) => ({ name: at.name, type: 'text[]', nullable: false }),
    read: async (_ctx, at, sent) => {
      const names = readTexts(sent, at.name)
      return names === undefined ? undefined : [...new Set(names ?? [])].filter((text) => text !== '').sort()
    },
  }
}

/** Blank text, as forms send it, is an empty list. */
function toNames(sent: unknown): unknown {
  return sent === '' ? [] : sent
}
