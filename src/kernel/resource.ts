import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { FieldErrors } from '../errors.ts'
import type { SearchField, SearchSchema } from '../search/schema.ts'
import type { Row } from './present.ts'
import type { Named } from './reach.ts'
import type { Reference } from './reference.ts'
import type { Answer, Input, Method } from './route.ts'
import type { Surface } from './surface.ts'
import type { Wire } from './wire.ts'

/** Where a field stands: its name in the declaration, its resource, and the others it may point at. */
export interface Place {
  readonly name: string
  readonly resource: { readonly name: string; readonly plural: string; readonly table: string }
  readonly target: (resource: string) => Resource
}

/** A key that a request body may carry. */
export interface WritableKey {
  readonly schema: z.ZodType
  /** Forgiving reading of what clients send for it (12 for "12", "yes" for true), before the schema judges. */
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
  /** A timestamp: `present` writes it in the format of the view. */
  readonly time?: true
  /** The records that the entries of a list name: callers see those within their reach. */
  readonly names?: () => readonly Named[]
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
  /** A create without it is refused. */
  readonly required: boolean
  /** What is said of a value that another record has; the constraint itself stands in the migration. */
  readonly taken?: string
  /** Never leaves the service: not in answers, audits, errors, logs. */
  readonly secret: boolean
  /** Its column is encrypted with the keys of the service. */
  readonly encrypted?: true
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
  readonly elsewhere?: Elsewhere
  /** What the value makes of other records, by their own rules and with audits of their own, once the row exists. */
  settle?(ctx: Context, at: Place, id: number, value: Value, isNew?: boolean): Promise<void>
  /** Records of this resource that belong to the given record of another: nested lists, filters by parent. */
  readonly within?: (at: Place, alias: string, id: number) => Sql
  /** The tables that `within` reads beside the own one and those of `elsewhere`. */
  readonly reads?: readonly string[]
  /** Another resource that a row of this one points at: kept from being deleted while it does, unless `cascade`. */
  readonly refersTo?: { readonly resource: string; readonly onDelete: 'restrict' | 'cascade' | 'clear' | 'around' }
}

export interface Elsewhere {
  readonly sql: (at: Place, alias: string) => Sql
  readonly store: (ctx: Context, at: Place, id: number, value: unknown) => Promise<void>
  /** Name of the value in audits, e.g. `operatingsystem_ids`. */
  readonly auditedAs: (at: Place) => string
  /** The tables that hold it. */
  readonly tables: (at: Place) => readonly string[]
}

/** Keys of a request body after the schemas have judged them. */
export type Sent = Readonly<Record<string, unknown>>

export type Fields = Readonly<Record<string, Field>>
type ValueOf<F> = F extends Field<infer Value> ? Value : never
/** What a record is to become: only the fields that were sent. */
export type Draft<F extends Fields = Fields> = { -readonly [K in keyof F]?: ValueOf<F[K]> }

export type Operation = 'list' | 'show' | 'create' | 'update' | 'delete'

/** A row of the own table as it is stored, and the values kept elsewhere by field name. */
export type Stored = Readonly<Record<string, unknown>> & { readonly id: number }

/**
 * Pure check of a record as it would be stored: `record` is the whole of it, `draft` only what was sent, `stored` what it
 * is now, null on create. Yields messages per field.
 */
export type Rule<F extends Fields> = (
  record: Draft<F>,
  draft: Draft<F>,
  ctx: Context,
  stored: Stored | null,
) => FieldErrors | undefined

/** Replaces one write; `next` is the write itself. Runs inside its transaction. */
export interface Around<F extends Fields> {
  readonly create?: (
    ctx: Context,
    draft: Draft<F>,
    next: (draft: Draft<F>) => Promise<number>,
    resource: Resource,
  ) => Promise<number>
  readonly update?: (
    ctx: Context,
    stored: Stored,
    draft: Draft<F>,
    next: (draft: Draft<F>) => Promise<void>,
    resource: Resource,
  ) => Promise<void>
  readonly delete?: (ctx: Context, stored: Stored, next: () => Promise<void>, resource: Resource) => Promise<void>
}

/** A further endpoint of one record or of the collection. */
export interface Action {
  readonly method: Method
  /** Below the resource's path, e.g. `/:id/clone`. */
  readonly path: string
  readonly name: string
  readonly summary: string
  /** One of these is needed; default: the one that edits. */
  readonly permissions?: readonly string[]
  /** Callers without the permission may do it with their own records; `handle` sees to that. */
  readonly own?: true
  /** Keys of its query beside those of every request. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** Its body is that of this operation of the resource. */
  readonly takes?: 'create' | 'update'
  /** What it answers; default: the record in the keys of the `show` view, or what is named, and `adds` to it. */
  readonly output?: z.ZodType
  readonly outputs?: 'deleted' | 'list'
  /** Sometimes there is nothing to answer: 204 then. */
  readonly mayBeEmpty?: true
  readonly adds?: Readonly<Record<string, z.ZodType>>
  readonly status?: number
  /** What it answers instead, with 200, when its query asks what would happen; nothing is stored then. */
  readonly previews?: z.ZodType
  /** A refusal that its method does not make one expect. */
  readonly refuses?: 412 | 422
  readonly handle: (ctx: Context, resource: Resource, input: Input) => Promise<Answer>
}

/** Which rows of the table belong to a resource, and which of them need no permission. */
export interface Records {
  /** The rows that this resource is made of, when it shares its table. */
  readonly where?: (ctx: Context, alias: string) => Sql
  /** The tables that `where` and `own` read beside the resource's. */
  readonly tables?: readonly string[]
  /** Records that need no permission, e.g. the caller's own user. */
  readonly own?: (ctx: Context, alias: string) => Sql
  /** What they may do with those; default: show and update. */
  readonly ownOperations?: readonly Operation[]
}

/** Changes records of the list or show view; the query is that of the request, empty for the answer to a write. */
export type Shown = (
  ctx: Context,
  resource: Resource,
  rows: readonly Row[],
  query: Input['query'],
) => Promise<readonly Row[]>

/**
 * Keys that lists show for one of the words of a query parameter: `include=parameters` adds, `thin=true` shows them alone.
 * With `shows` a record that is shown alone, too.
 */
export interface AskedKeys {
  readonly parameter: string
  readonly words: readonly string[]
  readonly keys: readonly string[]
  readonly alone?: true
  readonly shows?: true
}

/** A resource as its author declares it: facts first, behaviour (`rules`, `around`, `actions`) last. */
export interface Definition<F extends Fields = Fields> {
  /** Singular word of paths, bodies and messages, e.g. `architecture`. */
  readonly name: string
  readonly plural?: string
  /** Where its paths are; default `core`. */
  readonly surface?: Surface
  /** Singular word of its paths and bodies, where that is not its name. */
  readonly word?: string
  readonly table?: string
  /** Class-like name in audits, permissions and filters; default: the name in capitals, `AuthSource`. */
  readonly type?: string
  /** Word of the permissions, `view_<word>`; default: the plural. */
  readonly permission?: string
  /** Permissions beside those that its routes ask for. */
  readonly permissions?: readonly string[]
  readonly summary: string
  readonly fields: F
  readonly operations?: readonly Operation[]
  /** Keys of the answers, in order. `deleted` defaults to the own columns. */
  readonly views: {
    readonly list: readonly string[]
    readonly show: readonly string[]
    readonly deleted?: readonly string[]
    /** What else a list shows when its query asks for it. */
    readonly asked?: readonly AskedKeys[]
  }
  /** Field whose exact value names a record in paths (core-api §2.6) and that messages call it by; without, only ids do. */
  readonly label?: keyof F & string
  /** Names such as `10-0-0-1.example.test` are no ids with something behind: paths take the label, or the id alone. */
  readonly namedBy?: 'label'
  /** What audits and messages call a record, when that is not its label. */
  readonly called?: (stored: Stored) => string
  /** Default order in the words of the search language; default: the label. */
  readonly order?: string
  /**
   * Belongs to locations and organizations, and is seen only from within them (core-api §5.3). `when_named`: from
   * everywhere, but a request that names one narrows to it. `own`: to one of each, by its links `organization` and
   * `location`. `organization`: to one organization for ever, by its link `organization` (content-api §1.1).
   */
  readonly taxable?: boolean | 'when_named' | 'own' | 'organization'
  /** Resources whose records this one's lists nest under, each with the field that links to it. */
  readonly parents?: Readonly<Record<string, keyof F & string>>
  /** Paths exist below the parents only. */
  readonly nestedOnly?: boolean
  /** The link to the record that it is a part of: who may see that sees the part, who may edit it edits the part. */
  readonly partOf?: keyof F & string
  /** The link to a record that must be visible, too: who may not see that does not see what is about it. */
  readonly about?: keyof F & string
  readonly records?: Records
  /** The last word on records before they leave in a list or alone: what this caller may see of them. */
  readonly shown?: Shown
  /** Answers that no single field gives, by key. */
  readonly readable?: Readonly<Record<string, ReadableKey>>
  /** Search fields beside those of the fields. */
  readonly search?: readonly SearchField[]
  readonly audited?: boolean
  readonly wire?: Wire
  readonly rules?: readonly Rule<F>[]
  readonly around?: Around<F>
  readonly actions?: readonly Action[]
}

/** A field with its place: what the kernel folds over. */
export interface Placed {
  readonly name: string
  readonly field: Field
  readonly at: Place
  readonly column: Column | undefined
  readonly elsewhere: Elsewhere | undefined
}

/** A declared resource with its defaults filled in and its fields folded into what each part of the service asks for. */
export interface Resource extends Definition {
  readonly plural: string
  readonly surface: Surface
  readonly word: string
  /** Where its records are, e.g. `/content/api/environments`. */
  readonly path: string
  readonly table: string
  readonly type: string
  readonly permission: string
  readonly operations: readonly Operation[]
  readonly parents: Readonly<Record<string, string>>
  readonly taxable: boolean | 'when_named' | 'own' | 'organization'
  readonly audited: boolean
  readonly placed: readonly Placed[]
  readonly columns: readonly Column[]
  readonly writable: Readonly<Record<string, WritableKey>>
  readonly readable: Readonly<Record<string, ReadableKey>>
  readonly searchSchema: SearchSchema
  readonly deletedView: readonly string[]
  /** All resources, this one among them. */
  readonly registry: Registry
  /** Who points at records of this resource. */
  readonly referrers: readonly { readonly resource: Resource; readonly placed: Placed }[]
}

export type Registry = ReadonlyMap<string, Resource>

/** `auth_source` for `auth_sources`: what columns that point at a table are called by. */
export function singularOf(table: string): string {
  return table === 'media' ? 'medium' : table.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
}

/** The class-like name of a resource: its own, or its name in capitals. */
export function typeOf({ name, type }: Pick<Definition, 'name' | 'type'>): string {
  return type ?? name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** States a resource. Nothing happens until `assemble` is given the list of them. */
export function defineResource<const F extends Fields>(definition: Definition<F>): Definition {
  // Authors write rules and behaviour in the types of their own fields; the kernel treats all resources alike.
  return Object.freeze(definition) as unknown as Definition
}
