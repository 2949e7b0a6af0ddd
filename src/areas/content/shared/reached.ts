import type { Sql } from '../../../database/sql.ts'
import type { Field } from '../../../kernel/definition.ts'

/**
 * How records belong to one of another resource by a way that is no link of theirs: for paths below it and for its
 * parameter. Nothing is written or shown by it. `tables` are those that the way leads over.
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
