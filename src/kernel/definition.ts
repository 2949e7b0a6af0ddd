import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { FieldErrors } from '../errors.ts'
import type { SearchField } from '../search/schema.ts'
import type { Action } from './action.ts'
import type { Condition } from './condition.ts'
import type { Draft, Fields, Operation, ReadableKey, Stored } from './field.ts'
import type { Row } from './present.ts'
import type { Resource } from './resource.ts'
import type { Input, RouteFacts } from './route.ts'
import type { Surface } from './surface.ts'
import type { Wire } from './wire.ts'

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

/** Which rows of the table belong to a resource, and which of them need no permission. */
export interface Records {
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
export interface Definition {
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
  readonly fields: Fields
  readonly operations?: readonly Operation[]
  /** Keys of the answers, in order. `deleted` defaults to the own columns. */
  readonly views: {
    readonly list: readonly string[]
    readonly show: readonly string[]
    readonly deleted?: readonly string[]
    /** What else a list shows when its query asks for it. */
    readonly asked?: readonly AskedKeys[]
    /** Words of the query that `shown` reads. */
    readonly query?: Readonly<Record<string, z.ZodType>>
  }
  /** Field whose exact value names a record in paths (core-api §2.6) and that messages call it by; without, only ids do. */
  readonly label?: string
  /** For names that look like `7-name`, as `10-0-0-1.example.test` does: paths take the label, or the id alone. */
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
  readonly parents?: Readonly<Record<string, string>>
  /** Paths exist below the parents only. */
  readonly nestedOnly?: boolean
  /** The link to the record that this one is a part of: whoever may see or edit that one may see or edit the part. */
  readonly partOf?: string
  /**
   * For records without organizations of their own: the links whose targets decide who sees it. Callers see it who reach
   * them, whatever their permissions for them (docs/decisions/0019-non-interference.md). An empty link excludes nobody.
   */
  readonly seenWith?: readonly string[]
  /** The link to the record that this one describes: a caller who may not see that record does not see this one either. */
  readonly about?: string
  readonly records?: Records
  /** Changes records, alone or in a list, to what this caller may see of them, just before they are answered. */
  readonly shown?: Shown
  /** Answers that no single field gives, by key. */
  readonly readable?: Readonly<Record<string, ReadableKey>>
  /** Search fields beside those of the fields. */
  readonly search?: readonly SearchField[]
  readonly audited?: boolean
  readonly wire?: Wire
  /** What holds for all of its routes. */
  readonly routes?: RouteFacts
  readonly rules?: readonly Rule[]
  readonly around?: Around
  readonly actions?: readonly Action[]
}

/** `auth_source` for `auth_sources`: what columns that point at a table are called by. */
export function singularOf(table: string): string {
  return table === 'media' ? 'medium' : table.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
}

/** The class-like name of a resource: its own, or its name in capitals. */
export function typeOf({ name, type }: Pick<Definition, 'name' | 'type'>): string {
  return type ?? name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** States a resource. Nothing happens until `assemble` is given the list of them. */
export function defineResource(definition: Definition): Definition {
  return Object.freeze(definition)
}
