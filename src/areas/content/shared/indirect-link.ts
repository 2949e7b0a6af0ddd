import type { Sql } from '../../../database/sql.ts'
import type { Field } from '../../../kernel/index.ts'

/**
 * A field that relates records to another resource indirectly, for paths below it and for its parameter. It is neither
 * written nor shown. `tables` are those between the two resources.
 */
export function indirectLink(
  doc: string,
  tables: readonly string[],
  within: (alias: string, id: number) => Sql,
): Field<never> {
  return {
    kind: 'reached',
    doc,
    writable: () => ({}),
    readable: () => ({}),
    search: () => [],
    within: (_at, alias, id) => ({ sql: within(alias, id), tables }),
  }
}
