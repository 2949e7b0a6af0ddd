import { z } from 'zod'
import type { Sql } from '../database/sql.ts'
import {
  buildObjectSchema,
  type Field,
  type FieldPosition,
  listNamed,
  selectNestedObject,
  singularOf,
} from '../kernel/index.ts'
import { sql } from '../sql.ts'

/**
 * A field that shows the records of another resource that point at this one by one of these columns. It cannot be
 * written.
 */
export function children(
  target: string,
  options: { readonly doc: string; readonly by?: string | readonly string[]; readonly show?: readonly string[] },
): Field<never> {
  const { doc, show = ['id', 'name'] } = options
  const rowsOf = (at: FieldPosition, alias: string): Sql => {
    const { table, label = 'id' } = at.target(target)
    const columns = [options.by ?? `${singularOf(at.resource.table)}_id`].flat().map((column) => sql.ref(`x.${column}`))
    return sql`coalesce((select json_agg(${selectNestedObject(at.target(target), show)} order by ${sql.ref(`x.${label}`)}, x.id) from ${sql.table(table)} x where ${sql.ref(`${alias}.id`)} in (${sql.join(columns)})), '[]')`
  }
  return {
    kind: 'children',
    doc,
    writable: () => ({}),
    readable: (at) => ({
      [at.name]: {
        schema: () => z.array(buildObjectSchema(at.target(target), show)).meta({ description: doc }),
        names: () => listNamed(at.target(target), show),
        sql: (alias) => rowsOf(at, alias),
      },
    }),
    search: () => [],
  }
}
