import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Members } from '../lib/values.ts'
import { KINDS, type Kind } from './kinds.ts'
import { type OldServer, Unreadable } from './old-server.ts'
import type { Remark } from './report.ts'
import type { TheirRecords } from './their-records.ts'

/** The lists that a file can fill, by the names of their resources. */
const LISTS = z.enum([
  'common_parameters',
  'environments',
  'configclasses',
  'smart_class_parameters',
  'hostgroups',
  'hosts',
  'override_values',
])

/** Records that were read from a file, in the shape in which an import reads those of a server. */
export const LISTED = z.strictObject({
  records: z.partialRecord(LISTS, z.array(z.looseObject({ id: z.int() }))),
  remarks: z.array(
    z.strictObject({
      kind: z.string(),
      record: z.string(),
      outcome: z.enum(['left', 'refused']),
      reason: z.string(),
      fix: z.string(),
    }),
  ),
})

/** A part of a file that is not taken: `refused` as a whole, `left` as a part of a record that is taken. */
export interface ListedRemark extends Remark {
  readonly kind: string
  readonly outcome: 'left' | 'refused'
}

/** What was read from a file. */
export type Listed = z.infer<typeof LISTED>

/** How records of files differ from those of servers: a file knows neither all environments of a class nor how hosts are made. */
const OF_FILES: Readonly<Record<string, Partial<Kind>>> = {
  configclass: { adds: ['environment_ids'] },
  smart_class_parameter: { atCreation: ['parameter_type'] },
  host: { how: 'changed' },
}

/** The kinds of files, in the order of all kinds. */
export const FILE_KINDS: readonly Kind[] = KINDS.filter(({ name }) =>
  [...Object.keys(OF_FILES), 'common_parameter', 'environment', 'hostgroup', 'override_value'].includes(name),
).map((kind) => ({ ...kind, ...OF_FILES[kind.name] }))

/** Creates a reader of listed records, by the plural names of their resources, with the functions of the reader of a server. */
export function createListedRecords(records: Readonly<Record<string, readonly Members[]>>): TheirRecords {
  const listOf = ({ id }: { readonly id: string }): readonly Members[] => records[id.split('.').at(-2) ?? ''] ?? []
  return {
    list: async function* (route, params) {
      const parents = Object.entries(params)
      // A record without the key of a parent is in the lists of all parents.
      yield listOf(route).filter((one) =>
        parents.every(([key, id]) => one[key] === undefined || String(one[key]) === id),
      )
    },
    show: async (route, { id }) => {
      const found = listOf(route).find((one) => String(one.id) === id)
      if (!found) throw new Unreadable('it is not in the list')
      return found
    },
  }
}

/** Stands for the connection, which a file does not need. */
export const NO_SERVER: Pick<OldServer, 'get' | 'each'> = {
  get: async () => {
    throw new Unreadable('a file has no paths')
  },
  each: (items, work) => Promise.all(items.map(work)),
}

/** Computes the id of a record by its kind and its name, so that later imports of the file know it again. */
export function computeId(kind: string, ...names: readonly string[]): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest()
  return digest.readUIntBE(0, 6) + 1
}
