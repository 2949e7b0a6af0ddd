import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { FieldErrors } from '../errors.ts'
import type { LanguageName } from '../requests/languages.ts'
import type { Answer, Input, Method, RouteFacts } from '../requests/route.ts'
import type { Surface } from '../requests/surface.ts'
import type { SearchField, SearchSchema } from '../search/schema.ts'
import type { Condition, SearchGuard } from './condition.ts'
import type { Column, Draft, NewDraft, Operation, Row, Sent, Stored } from './record.ts'

/** A resource as its author declares it: facts first, behaviour (`rules`, `wrapWrite`, `actions`) last. */
export interface Definition<F extends Fields = Fields> {
  /** Singular word of paths, bodies and messages, e.g. `architecture`. */
  readonly name: string
  readonly words?: Words<NoInfer<F>>
  readonly summary: string
  readonly fields: F
  /** Field whose exact value names a record in paths (core-api §2.6) and messages. Without it only ids name records. */
  readonly label?: keyof NoInfer<F> & string
  readonly operations?: readonly Operation[]
  readonly views: Views
  /** Keys of answers that are not given by a single field. */
  readonly readable?: Readonly<Record<string, ReadableKey>>
  /** Search fields beside those that the fields declare. */
  readonly search?: readonly SearchField[]
  readonly routes?: Routes<keyof NoInfer<F> & string>
  readonly permissions?: Permissions
  readonly visibility?: Visibility<keyof NoInfer<F> & string>
  readonly records?: Records
  readonly audited?: boolean
  readonly wire?: Wire
  readonly rules?: readonly Rule<NoInfer<F>>[]
  readonly wrapWrite?: WriteWrapper<NoInfer<F>>
  readonly actions?: readonly Action<NoInfer<F>>[]
}

/** What a resource and its records are called, where that does not follow from its name. */
interface Words<F extends Fields = Fields> {
  readonly plural?: string
  /** Singular word of its paths and bodies. */
  readonly word?: string
  /** Class-like name in audits, permissions and filters; default: made from the name, `AuthSource` from `auth_source`. */
  readonly type?: string
  /** Yields what audits and messages call a record, where that is not its label. */
  called?(stored: Stored<F>): string
}

/** The keys of answers, in order. `deleted` defaults to the columns of the resource's table that are no secrets. */
interface Views {
  readonly list: readonly string[]
  readonly show: readonly string[]
  readonly deleted?: readonly string[]
  /** The order of lists that ask for none, in the words of the search language; default: by the label, otherwise by id. */
  readonly order?: string
  /** Further keys that lists show when the query asks for them. */
  readonly asked?: readonly AskedKeys[]
  /** Schemas of the query parameters that `transform` reads. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  /** Adapts records to what this caller may see, just before they are answered. */
  readonly transform?: Transform
}

/**
 * Keys that a list shows when a query parameter has one of these words: `include=parameters` adds its keys, `thin=true`
 * (`alone`) shows nothing but its keys. With `shows` the parameter is read for single records, too.
 */
export interface AskedKeys {
  readonly parameter: string
  readonly words: readonly string[]
  readonly keys: readonly string[]
  readonly alone?: true
  readonly shows?: true
}

/** Adapts records of the list or show view to the caller. `query` is the request's; empty for answers to writes. */
export type Transform = (
  ctx: Context,
  resource: Resource,
  rows: readonly Row[],
  query: Input['query'],
) => Promise<readonly Row[]>

/** Where the paths of a resource are, and facts that hold for all of its routes. */
interface Routes<Name extends string = string> extends RouteFacts {
  /** The surface that the paths belong to; default: `core`. */
  readonly surface?: Surface
  /** Resources below whose records this one is listed, each with the field that links to it. */
  readonly parents?: Readonly<Record<string, Name>>
  /** The resource has no path of its own, only those below its parents. */
  readonly nestedOnly?: boolean
  /** Paths take the label or the plain id, never `7-name`, because labels may look like it: `10-0-0-1.example.test`. */
  readonly namedBy?: 'label'
}

/** The permissions that the routes of a resource need, and further ones. */
interface Permissions {
  /** The word in their names, `view_<word>`; default: the plural of the resource. */
  readonly word?: string
  readonly further?: readonly string[]
}

/** Who sees the records of a resource: what limits callers beside their permissions. */
interface Visibility<Name extends string = string> {
  /**
   * Its records belong to organizations and locations, and are seen only from within them (core-api §5.3). `when_named`:
   * they are seen from everywhere, unless a request names one. `own`: they belong to one of each, by the links `organization`
   * and `location`. `organization`: to one organization for ever, by the link `organization` (content-api §1.1).
   */
  readonly taxable?: boolean | 'when_named' | 'own' | 'organization'
  /** The link to the record that this one is a part of: whoever may see or edit the whole may see or edit the part. */
  readonly partOf?: Name
  /**
   * For records without organizations of their own: the links that decide who sees them. Callers see a record when they reach
   * its targets, whatever their permissions (docs/decisions/0019-non-interference.md). An empty link excludes nobody.
   */
  readonly seenWith?: readonly Name[]
  /** The link to the record that this one describes: a caller who may not see that record does not see this one either. */
  readonly about?: Name
}

/** Which rows are the records of a resource, in which table, and which of them need no permission. */
interface Records {
  /** The table that holds the records; default: the plural of the resource. */
  readonly table?: string
  /** The rows of a shared table that belong to this resource. */
  readonly where?: (ctx: Context, alias: string) => Sql
  /** The tables that `where` and `own` read beside the resource's. */
  readonly tables?: readonly string[]
  /** Further conditions for a caller, e.g. that leave only records without references beyond the caller's reach. */
  readonly limits?: (ctx: Context, resource: Resource) => readonly Condition[]
  /** What a search compares for this caller, who sees the `guarded` fields of some records only. */
  readonly guard?: (ctx: Context, resource: Resource) => SearchGuard
  /** Records that need no permission, e.g. the caller's own user. */
  readonly own?: (ctx: Context, alias: string) => Sql
  /** The operations on `own` records that need no permission; default: show and update. */
  readonly ownOperations?: readonly Operation[]
}

/** Answers a request of an operation. */
export type Handler = (ctx: Context, resource: Resource, input: Input) => Promise<Answer>

/** Where the contract treats a resource unlike all others. Each use cites the section. */
export interface Wire {
  /** Operations at the paths below a parent, by its name, and at the resource's own (`flat`); default: all that it has. */
  readonly paths?: Readonly<Record<string, readonly Operation[]>>
  /** Paths below which there are further paths of its own, e.g. `environments/:environment_id/configclasses/:configclass_id`. */
  readonly below?: readonly string[]
  /** The resource lists by an action, whose searches are completed like those of the operation. */
  readonly suggests?: true
  /** Older names of keys in queries and bodies, each with the present one, which wins when both are sent. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Creating below a parent also needs the permission to edit the parent. */
  readonly createEditsParent?: true
  /** Keys of a new record that its handler takes from the query where the body lacks them. */
  readonly queried?: readonly string[]
  /** Handlers of its own, which call the usual ones, and which of them may answer 204 without a body. */
  readonly handlers?: Readonly<Partial<Record<Operation, Handler>>>
  readonly mayBeEmpty?: readonly Operation[]
  readonly deprecated?: { readonly operations: readonly Operation[]; readonly since: Date }
}

// Members that take values of one resource are methods, not functions: so a list of all resources may hold each of them.

/** Checks `record` as it would be stored; `draft` is what was sent, `stored` the row as it is now, null on create. */
export type Rule<F extends Fields = Fields> = {
  check(record: Draft<F>, draft: Draft<F>, ctx: Context, stored: Stored<F> | null): FieldErrors | undefined
}['check']

/** Wraps one write; `next` is the write itself. Runs inside of its transaction. */
export interface WriteWrapper<F extends Fields = Fields> {
  /** `create` does not change the record after `next`, so that the record need not be read again. */
  readonly keepsCreated?: true
  create?(ctx: Context, draft: NewDraft<F>, next: Write<F, number>, resource: Resource<F>): Promise<number>
  update?(ctx: Context, stored: Stored<F>, draft: Draft<F>, next: Write<F, void>, resource: Resource<F>): Promise<void>
  delete?(ctx: Context, stored: Stored<F>, next: () => Promise<void>, resource: Resource<F>): Promise<void>
}

type Write<F extends Fields, Result> = { write(draft: Draft<F>): Promise<Result> }['write']

/** The facts of an action, without its handler. */
export interface ActionFacts extends RouteFacts {
  readonly method: Method
  /** Relative to the resource's path, e.g. `/:id/clone`. */
  readonly path: string
  /** Parents that have this action as well, e.g. `host`. */
  readonly below?: readonly string[]
  readonly name: string
  readonly summary: string
  /** The permissions of which one is needed; default: the permission to edit records of the resource. */
  readonly permissions?: readonly string[]
  /** Callers without the permission may use it on their own records; `handle` ensures that. */
  readonly own?: true
  /** Schemas of the query parameters that the action reads beside those of every request. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** The operation whose body the action takes. */
  readonly takes?: 'create' | 'update'
  /** Schema of the answer; default: the `show` view, or what `outputs` names, with the keys that it `adds`. */
  readonly output?: z.ZodType
  readonly outputs?: 'deleted' | 'list'
  /** The action may answer 204 without a body. */
  readonly mayBeEmpty?: true
  readonly adds?: Readonly<Record<string, z.ZodType>>
  readonly status?: number
  /** Schema of the answer (200) when the query asks for a preview, which stores nothing. */
  readonly previews?: z.ZodType
}

/** An endpoint of a collection beside the five operations, or of something else that its path names. */
export interface CollectionAction extends ActionFacts {
  readonly record?: never
  readonly handle: Handler
}

/** An endpoint of one record, which is found first, below its parents, among those that the caller may do this to. */
interface RecordAction<F extends Fields = Fields> extends ActionFacts {
  /** `found`: the record in these keys. `locked`: the stored row, in a transaction that ends with the action. */
  readonly record:
    | { readonly how: 'found'; readonly keys?: readonly string[]; readonly permission?: string }
    | { readonly how: 'locked'; readonly permission?: string }
  handle(ctx: Context, resource: Resource<F>, input: Input, record: Stored<F>): Promise<Answer>
}

/** An endpoint beside the five operations: of the collection, or of one record. */
export type Action<F extends Fields = Fields> = CollectionAction | RecordAction<F>

/** The fields of a resource by their names in the declaration. */
export type Fields = Readonly<Record<string, Field>>

/** The position of a field: its name in the declaration, its resource, and how to find the resources it refers to. */
export interface FieldPosition {
  readonly name: string
  readonly resource: { readonly name: string; readonly plural: string; readonly table: string }
  readonly target: (resource: string) => Resource
}

/** A key that a request body may carry. */
export interface WritableKey {
  readonly schema: () => z.ZodType
  /** Converts what clients send to the type of the key (12 for "12", true for "yes") before the schema validates it. */
  readonly coerce?: (sent: unknown) => unknown
  /** The language that its text is in: malformed text is refused when it is written. */
  readonly language?: LanguageName
  /** Numbers in the value stay as they were written, such as 2.0 or integers of any size (lib/lossless-json.ts). */
  readonly exact?: true
  /** The value of a new record when the request has none. */
  readonly initial?: boolean | number | string | undefined
  /** Slow work on a valid value, such as hashing a password, done before the transaction that stores it. */
  readonly prepare?: (ctx: Context, value: unknown) => Promise<unknown>
}

/** A key that an answer may carry, and the SQL that yields it for the row with this alias. */
export interface ReadableKey {
  /** The schema is built once all resources are known: a link shows keys of its target. */
  readonly schema: () => z.ZodType
  readonly sql: (alias: string) => Sql
  /** The row that this key shares with others: a statement joins it once. */
  readonly shared?: { readonly row: SharedRow; readonly value: Sql }
  /** The value is a time: `present` formats it for the view. */
  readonly time?: true
  /** The records that entries of this list refer to: only those within the caller's reach are shown. */
  readonly names?: () => readonly NamedRecord[]
}

/** At most one row beside each record, joined under a name of its own. */
export interface SharedRow {
  readonly name: string
  readonly select: (alias: string) => Sql
}

/** A field: all that the kernel knows about it. `Value` is the type of its values in rules, columns and audits. */
export interface Field<Value = unknown> {
  readonly kind: string
  readonly doc: string
  /** A record cannot be created without it. */
  readonly required?: boolean
  /** The message when another record has the value. The unique constraint itself stands in the migration. */
  readonly taken?: string
  /** The value is never shown: not in answers, audits, errors or logs. */
  readonly secret?: Secrecy
  /** The column that hides the value: while it is true, audits mask the value, and a mask that comes back is none. */
  readonly maskedBy?: string
  readonly writable: (at: FieldPosition) => Readonly<Record<string, WritableKey>>
  readonly readable: (at: FieldPosition) => Readonly<Record<string, ReadableKey>>
  readonly search: (at: FieldPosition) => readonly SearchField[]
  /** The resource whose ids it holds, and what happens to this row when the record with the id is deleted. */
  readonly refersTo?: { readonly resource: string; readonly onDelete?: 'restrict' | 'cascade' | 'clear' | 'around' }
  /** The column of the resource's table that holds the value; absent where other tables hold it. */
  readonly column?: (at: FieldPosition) => Column
  /**
   * Reads the value from the sent keys; undefined when none was sent. Default: the key with the field's name. Ids that
   * have to exist are added to `later`, to be looked up together; without that list `read` looks them up itself.
   */
  readonly read?: (ctx: Context, at: FieldPosition, sent: Sent, later?: Reference[]) => Promise<Value | undefined>
  /** A value kept outside the own row, e.g. the ids of a link table. */
  readonly elsewhere?: Elsewhere<Value>
  /** Writes records of other resources that the value describes, with their rules and audits, once the row exists. */
  saveNested?(ctx: Context, at: FieldPosition, id: number, value: Value, isNew?: boolean): Promise<void>
  /** The condition that leaves the records that belong to the given one: for nested lists and filters by parent. */
  readonly within?: (at: FieldPosition, alias: string, id: number) => Condition
}

/** How a secret is kept and sent. */
interface Secrecy {
  /** The fields that decide where the secret is sent and how it is protected on the way. */
  readonly sentTo: readonly string[]
  /** The column is encrypted with the keys of the service. */
  readonly encrypted?: true
}

/** How a value that other tables hold is read, stored and audited. */
export interface Elsewhere<Value = unknown> {
  readonly sql: (at: FieldPosition, alias: string) => Sql
  store(ctx: Context, at: FieldPosition, id: number, value: Value): Promise<void>
  /** Name of the value in audits, e.g. `operatingsystem_ids`. */
  readonly auditedAs: (at: FieldPosition) => string
  /** The tables that the value is read from, and the one whose rows are the value, with its columns. */
  readonly tables: (at: FieldPosition) => readonly string[]
  readonly linkTable?: (at: FieldPosition) => Readonly<Record<'table' | 'own' | 'other', string>>
}

/** The key `by` of the entries of a list holds ids of records of `target`. */
export interface NamedRecord {
  readonly target: Resource
  readonly by: string
}

/** Ids of one resource that a request refers to. */
export interface Reference extends Pick<NamedRecord, 'target'> {
  readonly ids: readonly number[]
  readonly listed?: boolean // the request has a list of ids, maybe of one
}

/** A field with its name, its position, and what follows from these: its column, or how other tables hold its value. */
export interface BoundField {
  readonly name: string
  readonly field: Field
  readonly at: FieldPosition
  readonly column: Column | undefined
  readonly elsewhere: Elsewhere | undefined
  /** Its name in stored rows and in messages: that of its column, or its own. */
  readonly key: string
  /** Its name in audits. */
  readonly auditKey: string
}

/** A declared resource with its defaults filled in, and with its fields as each part of the service needs them. */
export interface Resource<F extends Fields = Fields>
  extends Omit<Definition, 'fields' | 'words' | 'routes' | 'permissions' | 'visibility'>,
    Visibility {
  readonly fields: F
  readonly plural: string
  readonly word: string
  readonly type: string
  readonly called: Words['called']
  readonly surface: Surface
  /** The path of the collection, e.g. `/content/api/environments`. */
  readonly path: string
  readonly parents: Readonly<Record<string, string>>
  readonly nestedOnly: boolean
  readonly namedBy: Routes['namedBy']
  readonly routeFacts: RouteFacts
  /** The word in the names of its permissions, `view_<word>`, and further permissions. */
  readonly permission: string
  readonly furtherPermissions: readonly string[]
  readonly taxable: NonNullable<Visibility['taxable']>
  readonly operations: readonly Operation[]
  readonly audited: boolean
  readonly table: string
  readonly placed: readonly BoundField[]
  readonly byName: ReadonlyMap<string | undefined, BoundField>
  /** The fields whose values are stored: in columns, with the names of the fields, and in other tables. */
  readonly stored: readonly BoundField[]
  readonly columns: readonly (Column & { readonly field: string })[]
  readonly elsewhere: readonly (BoundField & { readonly elsewhere: Elsewhere })[]
  /** The links to one record each, by the names of their fields and in their order: where they lead, and by which column. */
  readonly links: ReadonlyMap<string | undefined, { readonly target: Resource; readonly column: string }>
  readonly writable: Readonly<Record<string, WritableKey>>
  readonly readable: Readonly<Record<string, ReadableKey>>
  /** The readable keys that are times, and what the entries of those that are lists refer to. */
  readonly times: readonly string[]
  readonly lists: ReadonlyMap<string, readonly NamedRecord[]>
  readonly searchSchema: SearchSchema
  readonly deletedView: readonly string[]
  /** All resources, this one among them. */
  readonly registry: Registry
  /** Its permissions are those for records of another table. */
  readonly borrowsPermissions: boolean
  /** The fields of all resources that refer to records of this one. */
  readonly referrers: readonly { readonly resource: Resource; readonly placed: BoundField }[]
}

/** All resources by their names in the singular, such as `host`. */
export type Registry = ReadonlyMap<string, Resource>

/** Declares a resource. It has no effect until `assemble` gets the list of all definitions. */
export function defineResource<const F extends Fields>(definition: Definition<F>): Definition<F> {
  return Object.freeze(definition)
}
