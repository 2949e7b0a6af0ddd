import type { Members } from '../values.ts'

/** Keys of a request body that the schemas have validated. */
export type Sent = Members

/** What a record is to become: only the fields that were sent. Values are read by the readers of values.ts. */
export type Draft = Record<string, unknown>

/** What can be done with the records of a resource; whatever else there is to do is an action. */
export type Operation = 'list' | 'show' | 'create' | 'update' | 'delete'

/** A record in some of its keys, the id among them. */
export type Found = Members & { readonly id: number }

/** A row of the own table as it is stored, and the values kept elsewhere by field name. */
export type Stored = Found

/** A row of an answer, by the keys of a view. */
export type Row = Members

/** What a column holds, in the words of the database. */
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
