import type { SearchField } from '../search/schema.ts'

/** The table that links records to others, its columns, and the table of the others. */
interface Linked {
  readonly through: string
  /** The column of the record itself. */
  readonly own: string
  /** The column of the other record. */
  readonly other: string
  readonly table: string
  /** The resource of the others, when searches may go on in it. */
  readonly resource?: string
}

/** A search field for records by the names of others that a table links them to. */
export function searchByLinked(name: string, { through, own, other, table, resource }: Linked): SearchField {
  return {
    name,
    type: 'text',
    column: 'name',
    through: [
      { table: through, column: own, previous: 'id' },
      { table, column: 'id', previous: other },
    ],
    ...(resource !== undefined && { leadsTo: { resource, column: 'id' } }),
    nullable: true,
    many: true,
    explicit: true,
  }
}
