import type { Members } from '../values.ts'

/** Keys of a request body that the schemas have validated. */
export type Sent = Members

/** The operations that a resource may have; everything else it offers is an action. */
export type Operation = 'list' | 'show' | 'create' | 'update' | 'delete'

/** A record as some of its keys, always with its id. */
export type FoundRecord = Members & { readonly id: number }

/** A row of an answer, by the keys of a view. */
export type Row = Members

/** The types of columns, as the database calls them. */
export type ColumnType =
  | 'text'
  | 'bigint'
  | 'integer'
  | 'boolean'
  | 'timestamptz'
  | 'jsonb'
  | 'bigint[]'
  | 'text[]'
  | 'bytea'
  | 'inet'

/** A column of the table of a resource. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
}
