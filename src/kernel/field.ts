import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { SearchField } from '../search/schema.ts'
import type { Members } from '../values.ts'
import type { Reference } from './reference.ts'
import type { Resource } from './resource.ts'
import type { NamedRecord } from './visibility.ts'

/** Where a field stands: its name in the declaration, its resource, and the others it may point at. */
export interface Place {
  readonly name: string
  readonly resource: { readonly name: string; readonly plural: string; readonly table: string }
  readonly target: (resource: string) => Resource
}

/** A key that a request body may carry. */
export interface WritableKey {
  readonly schema: z.ZodType
  /** Forgiving reading of what clients send for it (12 for "12", "yes" for true), before the schema validates it. */
  readonly coerce?: (sent: unknown) => unknown
  /** Numbers come as they were written, 2.0 and integers of any size (database/exact.ts); else as JavaScript reads them. */
  readonly exact?: true
  /** Slow work on a valid value, such as hashing a password: done before the transaction that stores it. */
  readonly prepare?: (ctx: Context, value: unknown) => Promise<unknown>
}

/** A key that an answer may carry, and the SQL that yields it for the row with this alias. */
export interface ReadableKey {
  /** Asked for when all resources are known: a link shows keys of its target. */
  readonly schema: () => z.ZodType
  readonly sql: (alias: string) => Sql
  /** A row that several keys of a record take their values from: statements about records find it once. */
  readonly shared?: { readonly row: SharedRow; readonly value: Sql }
  /** A timestamp: `present` writes it in the format of the view. */
  readonly time?: true
  /** The records that the entries of a list name: callers see those within their reach. */
  readonly names?: () => readonly NamedRecord[]
}

/** One row beside a record, or none, under a name of its own. */
export interface SharedRow {
  readonly name: string
  readonly select: (alias: string) => Sql
}

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

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
}

/**
 * One kind of field: everything the kernel needs to know about it. `Value` is what the record holds: what `rules` see,
 * what the column stores, what audits show.
 */
export interface Field<Value = unknown> {
  readonly kind: string
  readonly doc: string
  /** Creating a record without it is refused. */
  readonly required: boolean
  /** What is said of a value that another record has; the constraint itself stands in the migration. */
  readonly taken?: string
  /** Never leaves the service: not in answers, audits, errors, logs. */
  readonly secret: boolean
  /** Its column is encrypted with the keys of the service. */
  readonly encrypted?: true
  /** Of secrets: the fields that decide to whom it goes and how it is protected on the way. */
  readonly sentTo?: readonly string[]
  /** Audits mask it while this column of the record is true. */
  readonly maskedBy?: string
  readonly writable: (at: Place) => Readonly<Record<string, WritableKey>>
  readonly readable: (at: Place) => Readonly<Record<string, ReadableKey>>
  readonly search: (at: Place) => readonly SearchField[]
  /** The resource that its ids are of. */
  readonly target?: string
  /** The own column that holds the value; absent when other tables do. */
  readonly column?: (at: Place) => Column
  /**
   * The value that the sent keys mean, undefined when none was sent. Default: the key of the field's name. Ids that it
   * refers to are added to `later`, which are looked up together; without such a list it does that itself.
   */
  readonly read?: (ctx: Context, at: Place, sent: Sent, later?: Reference[]) => Promise<Value | undefined>
  /** A value kept outside the own row, e.g. the ids of a link table. */
  readonly elsewhere?: Elsewhere<Value>
  /** What the value makes of other records, by their own rules and with audits of their own, once the row exists. */
  saveNested?(ctx: Context, at: Place, id: number, value: Value, isNew?: boolean): Promise<void>
  /** Records of this resource that belong to the given record of another: nested lists, filters by parent. */
  readonly within?: (at: Place, alias: string, id: number) => Sql
  /** The tables that `within` reads beside the own one and those of `elsewhere`. */
  readonly reads?: readonly string[]
  /** Another resource that a row of this one points at: kept from being deleted while it does, unless `cascade`. */
  readonly refersTo?: { readonly resource: string; readonly onDelete: 'restrict' | 'cascade' | 'clear' | 'around' }
}

export interface Elsewhere<Value = unknown> {
  readonly sql: (at: Place, alias: string) => Sql
  store(ctx: Context, at: Place, id: number, value: Value): Promise<void>
  /** Name of the value in audits, e.g. `operatingsystem_ids`. */
  readonly auditedAs: (at: Place) => string
  /** The tables that hold it. */
  readonly tables: (at: Place) => readonly string[]
}

/** Keys of a request body that the schemas have validated. */
export type Sent = Members

export type Fields = Readonly<Record<string, Field>>
/** What a record is to become: only the fields that were sent. Values are read by the readers of values.ts. */
export type Draft = Record<string, unknown>

export type Operation = 'list' | 'show' | 'create' | 'update' | 'delete'

/** A record in some of its keys, the id among them. */
export type Found = Members & { readonly id: number }

/** A row of the own table as it is stored, and the values kept elsewhere by field name. */
export type Stored = Found
