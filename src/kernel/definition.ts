import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { FieldErrors } from '../errors.ts'
import type { SearchField, SearchSchema } from '../search/schema.ts'
import type { Condition } from './condition.ts'
import type { Column, Draft, Operation, Row, Sent, Stored } from './record.ts'
import type { ActionFacts, Answer, Input, RouteFacts } from './route.ts'
import type { Surface, Wire } from './surface.ts'

/** A resource as its author declares it: facts first, behaviour (`rules`, `around`, `actions`) last. */
export interface Definition {
  /** Singular word of paths, bodies and messages, e.g. `architecture`. */
  readonly name: string
  readonly words?: Words
  readonly summary: string
  readonly fields: Fields
  /** Field whose exact value names a record in paths (core-api §2.6) and that messages call it by; without, only ids do. */
  readonly label?: string
  readonly operations?: readonly Operation[]
  readonly views: Views
  /** Answers that no single field gives, by key. */
  readonly readable?: Readonly<Record<string, ReadableKey>>
  /** Search fields beside those of the fields. */
  readonly search?: readonly SearchField[]
  readonly routes?: Routes
  readonly permissions?: Permissions
  readonly visibility?: Visibility
  readonly records?: Records
  readonly audited?: boolean
  readonly wire?: Wire
  readonly rules?: readonly Rule[]
  readonly around?: Around
  readonly actions?: readonly Action[]
}

/** What a resource and its records are called, where that does not follow from its name. */
interface Words {
  readonly plural?: string
  /** Singular word of its paths and bodies. */
  readonly word?: string
  /** Class-like name in audits, permissions and filters; default: the name in capitals, `AuthSource`. */
  readonly type?: string
  /** What audits and messages call a record, when that is not its label. */
  readonly called?: (stored: Stored) => string
}

/** Keys of the answers, in order. `deleted` defaults to the own columns. */
interface Views {
  readonly list: readonly string[]
  readonly show: readonly string[]
  readonly deleted?: readonly string[]
  /** Default order of lists in the words of the search language; default: the label. */
  readonly order?: string
  /** What else a list shows when its query asks for it. */
  readonly asked?: readonly AskedKeys[]
  /** Words of the query that `shown` reads. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** Changes records, alone or in a list, to what this caller may see of them, just before they are answered. */
  readonly shown?: Shown
}

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

/** Changes records of the list or show view; the query is that of the request, empty for the answer to a write. */
export type Shown = (
  ctx: Context,
  resource: Resource,
  rows: readonly Row[],
  query: Input['query'],
) => Promise<readonly Row[]>

/** Where its paths are, and what holds for all of its routes. */
interface Routes extends RouteFacts {
  /** Default `core`. */
  readonly surface?: Surface
  /** Resources whose records this one's lists nest under, each with the field that links to it. */
  readonly parents?: Readonly<Record<string, string>>
  /** Paths exist below the parents only. */
  readonly nestedOnly?: boolean
  /** For names that look like `7-name`, as `10-0-0-1.example.test` does: paths take the label, or the id alone. */
  readonly namedBy?: 'label'
}

/** The permissions that its routes ask for, and further ones. */
interface Permissions {
  /** `view_<word>`; default: the plural. */
  readonly word?: string
  readonly further?: readonly string[]
}

/** Who sees its records: those who may see, beside their permissions, what the records are in, part of or about. */
interface Visibility {
  /**
   * Belongs to locations and organizations, and is seen only from within them (core-api §5.3). `when_named`: from
   * everywhere, but a request that names one narrows to it. `own`: to one of each, by its links `organization` and
   * `location`. `organization`: to one organization for ever, by its link `organization` (content-api §1.1).
   */
  readonly taxable?: boolean | 'when_named' | 'own' | 'organization'
  /** The link to the record that this one is a part of: whoever may see or edit that one may see or edit the part. */
  readonly partOf?: string
  /**
   * For records without organizations of their own: the links whose targets decide who sees it. Callers see it who reach
   * them, whatever their permissions for them (docs/decisions/0019-non-interference.md). An empty link excludes nobody.
   */
  readonly seenWith?: readonly string[]
  /** The link to the record that this one describes: a caller who may not see that record does not see this one either. */
  readonly about?: string
}

/** Where its records are stored: the table, the rows of it that belong to the resource, and those that need no permission. */
interface Records {
  /** Default: the plural. */
  readonly table?: string
  /** The rows that this resource is made of, when it shares its table. */
  readonly where?: (ctx: Context, alias: string) => Sql
  /** The tables that `where` and `own` read beside the resource's. */
  readonly tables?: readonly string[]
  /** Conditions that leave, for some callers, only the records that refer to nothing beyond their reach. */
  readonly limits?: (ctx: Context, resource: Resource) => readonly Condition[]
  /** Records that need no permission, e.g. the caller's own user. */
  readonly own?: (ctx: Context, alias: string) => Sql
  /** What they may do with those; default: show and update. */
  readonly ownOperations?: readonly Operation[]
}

/**
 * Pure check of a record as it would be stored: `record` is the whole of it, `draft` only what was sent, `stored` what it
 * is now, null on create. Yields messages per field.
 */
export type Rule = (record: Draft, draft: Draft, ctx: Context, stored: Stored | null) => FieldErrors | undefined

/** Replaces one write; `next` is the write itself. Runs inside its transaction. */
export interface Around {
  readonly create?: (
    ctx: Context,
    draft: Draft,
    next: (draft: Draft) => Promise<number>,
    resource: Resource,
  ) => Promise<number>
  readonly update?: (
    ctx: Context,
    stored: Stored,
    draft: Draft,
    next: (draft: Draft) => Promise<void>,
    resource: Resource,
  ) => Promise<void>
  readonly delete?: (ctx: Context, stored: Stored, next: () => Promise<void>, resource: Resource) => Promise<void>
}

/** A further endpoint of the collection, or of what its path names otherwise. */
export interface CollectionAction extends ActionFacts {
  readonly record?: never
  readonly handle: (ctx: Context, resource: Resource, input: Input) => Promise<Answer>
}

/**
 * A further endpoint of one record, which is found below the parents that the request names, among those that the caller
 * may do this with, before the action is called.
 */
interface RecordAction extends ActionFacts {
  /** `found` in these keys, or `locked` as it is stored, in a transaction that ends with the action. */
  readonly record:
    | { readonly how: 'found'; readonly keys?: readonly string[]; readonly permission?: string }
    | { readonly how: 'locked'; readonly permission?: string }
  readonly handle: (ctx: Context, resource: Resource, input: Input, record: Stored) => Promise<Answer>
}

export type Action = CollectionAction | RecordAction
export type Fields = Readonly<Record<string, Field>>

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
  /** What a new record has that says nothing of it. */
  readonly initial?: boolean
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

/**
 * One kind of field: everything the kernel needs to know about it. `Value` is what the record holds: what `rules` see,
 * what the column stores, what audits show.
 */
export interface Field<Value = unknown> {
  readonly kind: string
  readonly doc: string
  /** Creating a record without it is refused. */
  readonly required?: boolean
  /** What is said of a value that another record has; the constraint itself stands in the migration. */
  readonly taken?: string
  /** Never leaves the service: not in answers, audits, errors, logs. */
  readonly secret?: Secrecy
  /** Audits mask it while this column of the record is true. */
  readonly maskedBy?: string
  readonly writable: (at: Place) => Readonly<Record<string, WritableKey>>
  readonly readable: (at: Place) => Readonly<Record<string, ReadableKey>>
  readonly search: (at: Place) => readonly SearchField[]
  /** The resource that its ids are of. A row that points by `onDelete` there may keep the other from being deleted. */
  readonly refersTo?: { readonly resource: string; readonly onDelete?: 'restrict' | 'cascade' | 'clear' | 'around' }
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
  readonly within?: (at: Place, alias: string, id: number) => Condition
}

/** How a secret is kept. */
interface Secrecy {
  /** The fields that decide to whom it goes and how it is protected on the way. */
  readonly sentTo: readonly string[]
  /** Its column is encrypted with the keys of the service. */
  readonly encrypted?: true
}

/** A value outside of the own row. */
export interface Elsewhere<Value = unknown> {
  readonly sql: (at: Place, alias: string) => Sql
  store(ctx: Context, at: Place, id: number, value: Value): Promise<void>
  /** Name of the value in audits, e.g. `operatingsystem_ids`. */
  readonly auditedAs: (at: Place) => string
  /** The tables that hold it. */
  readonly tables: (at: Place) => readonly string[]
}

/** An id in the entries of a list, and the resource whose record it names. */
export interface NamedRecord {
  readonly target: Resource
  readonly by: string
}

/** Ids of one resource that a request refers to. */
export interface Reference {
  readonly target: Resource
  readonly ids: readonly number[]
  readonly listed?: boolean // the request has a list of them, even of one
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
export interface Resource extends Omit<Definition, 'words' | 'routes' | 'permissions' | 'visibility'>, Visibility {
  readonly plural: string
  readonly word: string
  readonly type: string
  readonly called: Words['called']
  readonly surface: Surface
  /** Where its records are, e.g. `/content/api/environments`. */
  readonly path: string
  readonly parents: Readonly<Record<string, string>>
  readonly nestedOnly: boolean
  readonly namedBy: Routes['namedBy']
  readonly routeFacts: RouteFacts
  /** Word of its permissions, `view_<word>`, and those beside them. */
  readonly permission: string
  readonly furtherPermissions: readonly string[]
  readonly taxable: NonNullable<Visibility['taxable']>
  readonly operations: readonly Operation[]
  readonly audited: boolean
  readonly table: string
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
export function typeOf({ name, words }: { readonly name: string; readonly words?: Pick<Words, 'type'> }): string {
  return words?.type ?? name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** States a resource. Nothing happens until `assemble` is given the list of them. */
export function defineResource(definition: Definition): Definition {
  return Object.freeze(definition)
}
