import type { Sql } from '../sql.ts'
import type { Operator } from './query.ts'

/** The type of the values of a field, which decides how searches compare them. */
export type SearchType = 'text' | 'integer' | 'decimal' | 'boolean' | 'choice' | 'datetime' | 'date' | 'uuid'

/** One step to another table: to its rows where `column` equals `previous`, a column of the table before it. */
export interface Join {
  readonly table: string
  readonly column: string
  readonly previous: string
}

/** A comparison with a field that builds its own SQL. */
export interface FieldTest {
  readonly operator: Operator
  readonly value: string
  /** The part of the name after the first dot (`x` of `facts.x`); null when there is none. */
  readonly key: string | null
  /** The SQL alias of the resource's own table. */
  readonly root: string
  /** The condition on related rows that count for the caller (`SearchField.counting`). */
  readonly counting?: SearchField['counting']
}

/** A search field: constant facts, equal for every request. */
export interface SearchField {
  /** The name in searches; it may contain a dot. */
  readonly name: string
  readonly aliases?: readonly string[]
  readonly type: SearchType
  /** The field is not part of free text. */
  readonly explicit?: boolean
  /** Completion does not offer the field. */
  readonly hidden?: boolean
  /** Completion does not offer its values. */
  readonly noCompletion?: boolean
  /** The operators that completion offers, where they are fewer than those of the type. */
  readonly operators?: readonly string[]
  /** A column of the own table, or of the last table of `through`; null for a field that builds its own SQL. */
  readonly column: string | null
  /** Builds the SQL in place of the column, given the alias of its table. */
  readonly expression?: (alias: string) => Sql
  /** Builds the value without its mask, for `has` and `null?`, which only reveal whether there is one. */
  readonly unmasked?: (alias: string) => Sql
  /** Builds what orders sort by, where it differs from what conditions compare. */
  readonly sorted?: (alias: string) => Sql
  /** Whether the column may be null, which decides where records without a value stand in an order. */
  readonly nullable?: boolean
  /** For choice fields: each word with the stored value that it stands for. */
  readonly values?: Readonly<Record<string, string | number | boolean>>
  /** For boolean and choice fields: patterns and lists are compared with the stored value as text. */
  readonly asText?: true
  /** The joins from the own table to the table of the column. A condition then means "there is a related row with ...". */
  readonly through?: readonly Join[]
  /** Whether `through` can lead to several rows. */
  readonly many?: boolean
  /** The resource whose ids are in a column at the end of `through`, where that leads to several records of one. */
  readonly leadsTo?: { readonly resource: string; readonly column: string }
  /**
   * The permission to view what the field compares; callers without it do not have the field. The conditions of the
   * permission apply to a resource, whose ids are in a column at the end of `through`.
   */
  readonly viewedWith?: { readonly permission: string; readonly resource: string; readonly column: string }
  /** Builds the condition on related rows that count for the caller, by the alias of their table; by default all count. */
  readonly counting?: (alias: string) => Sql
  /** For key/value fields, written `name.key`: the column of the key, seen from the last table of `through`. */
  readonly key?: { readonly column: string; readonly through?: readonly Join[] }
  /** The caller sees the value of some records only (`Records.guard` of the kernel); of the others it counts as none. */
  readonly guarded?: true
  /** Words such as current_user that stand for a value of the request (`SearchOptions.words`). */
  readonly words?: readonly string[]
  /** The tables that `virtual` reads. */
  readonly tables?: readonly string[]
  /**
   * The cost of a condition for each record, in comparisons of a number (cost.ts); by default it follows from the number of
   * tables that the field leads to.
   */
  readonly cost?: number
  /** Builds the SQL of every comparison; throws a SearchError for unsupported ones. */
  readonly virtual?: (test: FieldTest, options: SearchOptions) => Sql
  /** Builds the SQL of `has`, and by negation of `null?`. */
  readonly present?: (about: Pick<FieldTest, 'key' | 'root' | 'counting'>) => Sql
  /** The operator for words of free text; by default `like` for plain text and `eq` for everything else. */
  readonly freeOperator?: Operator
}

/** The search fields of the records of one resource. */
export interface SearchSchema {
  readonly resource: string
  readonly table: string
  /** Errors are found and free text is compared in this order. */
  readonly fields: readonly SearchField[]
  /** The default order of a list, e.g. `name` or `time desc`. */
  readonly order?: string
}

/** The facts of a request on which the meaning of a search depends. */
export interface SearchOptions {
  readonly now: Date
  /** The IANA name of the time zone in which dates are read. */
  readonly zone: string
  /** The values of the special words of fields; null means that the request has no such value. */
  readonly words?: Readonly<Record<string, string | number | null>>
  /** The SQL alias of the resource's own table. */
  readonly root: string
}
