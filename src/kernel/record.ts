import type { Ordered } from '../database/stored-order.ts'
import type { Members } from '../lib/values.ts'

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
  /** Of `jsonb`: the table of the resource, beside which another keeps the order of keys (decision 0054). */
  readonly ordered?: Ordered
}

/** A field without which no record can be created. */
export type Required = { readonly required: true }

/** A field that links to one record, whose id is in the column `<name>_id`. */
export type Link = { readonly kind: 'link' }

/** A field whose column has a name of its own. */
export type InColumn<Name extends string> = { readonly column: () => Column & { readonly name: Name } }

/** A field that rows of its resource do not hold. */
export type Unstored = { readonly column?: undefined; readonly elsewhere?: undefined }

/** What the types below need to know of fields: `read` yields the value. */
type Readers = Readonly<Record<string, { readonly read?: (...given: never) => Promise<unknown> }>>

type ValueOf<One> = One extends { readonly read?: (...given: never) => Promise<infer Value> }
  ? Exclude<Value, undefined>
  : never

/** The key of a field in stored rows: its column, otherwise its name; none for fields that are not stored. */
type KeyOf<Name, One> = One extends Unstored ? never : One extends InColumn<infer Column> ? Column : LinkOr<Name, One>
type LinkOr<Name, One> = One extends Link ? `${Name & string}_id` : Name

/** What a record is to become: only the fields that were sent, or that the program sets, as values to store. */
export type Draft<F extends Readers = Readers> = { -readonly [Name in keyof F]?: ValueOf<F[Name]> }

/** The draft of a new record: the required fields are there. */
export type NewDraft<F extends Readers = Readers> = Draft<F> & {
  [Name in keyof F as F[Name] extends Required ? Name : never]: ValueOf<F[Name]>
}

/** A row of the resource's table, with the values that other tables hold under their field names. */
export type Stored<F extends Readers = Readers> = { readonly id: number } & {
  readonly [Name in keyof F as KeyOf<Name, F[Name]>]: ValueOf<F[Name]>
}
