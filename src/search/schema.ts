import type { Operator } from './query.ts'
import type { Sql } from './sql.ts'

export type SearchType = 'text' | 'integer' | 'decimal' | 'boolean' | 'choice' | 'datetime' | 'date' | 'uuid'

/** One step to another table: its rows where `column` equals `previous`, a column of the table before it. */
export interface Join {
  readonly table: string
  readonly column: string
  readonly previous: string
}

/** What a condition on a field is about, for fields that answer with SQL of their own. */
export interface FieldTest {
  readonly operator: Operator
  readonly value: string
  /** The part of the name after the first dot (`x` of `facts.x`), null when there is none. */
  readonly key: string | null
  /** SQL alias of the resource's own table. */
  readonly root: string
  /** Which records that it leads to count for who asks (`SearchField.counting`). */
  readonly counting?: SearchField['counting']
}

/** A field that can be searched for: facts only, the same for every request. */
export interface SearchField {
  /** As written in a query; may contain a dot. */
  readonly name: string
  readonly aliases?: readonly string[]
  readonly type: SearchType
  /** Not part of free text. */
  readonly explicit?: boolean
  /** Not offered as a field by completion. */
  readonly hidden?: boolean
  /** Its values are not offered by completion. */
  readonly noCompletion?: boolean
  /** The operators completion offers, where they are fewer than the type's. */
  readonly operators?: readonly string[]
  /** Column of the own table, or of the last table of `through`; null for a virtual field that only compares. */
  readonly column: string | null
  /** SQL that stands for the column, given the alias of its table. */
  readonly expression?: (alias: string) => Sql
  /** The value without its mask: `has` and `null?` tell only that there is one. */
  readonly unmasked?: (alias: string) => Sql
  /** What orders sort by, where that is not what conditions compare. */
  readonly sorted?: (alias: string) => Sql
  /** Whether the column may be null; decides where records without a value stand in an order. */
  readonly nullable?: boolean
  /** choice: each word with the stored value it stands for. */
  readonly values?: Readonly<Record<string, string | number | boolean>>
  /** boolean, choice: whether patterns and lists are compared with the stored value as text. */
  readonly asText?: true
  /** The way from the own table to the column's. A condition then means "there is a related row with ...". */
  readonly through?: readonly Join[]
  /** Whether `through` can lead to several rows. */
  readonly many?: boolean
  /** The resource whose ids stand in a column at the end of that way, where it leads to several records of one. */
  readonly leadsTo?: { readonly resource: string; readonly column: string }
  /**
   * The permission to view what it compares: who lacks it does not have the field. Its conditions are about a resource,
   * whose ids stand in a column at the end of the way.
   */
  readonly viewedWith?: { readonly permission: string; readonly resource: string; readonly column: string }
  /** Which of the rows there count for who asks, by the alias of their table; default: all. */
  readonly counting?: (alias: string) => Sql
  /** Key/value fields, written `name.key`: where the key of a row stands, seen from the last table of `through`. */
  readonly key?: { readonly column: string; readonly through?: readonly Join[] }
  /** Words with a meaning of their own, such as current_user, that stand for what the request says (`SearchOptions.words`). */
  readonly words?: readonly string[]
  /** Tables that `virtual` reads. */
  readonly tables?: readonly string[]
  /**
   * What a condition on it costs for each record, in comparisons of a number (cost.ts); default: by the number of tables
   * that it leads to.
   */
  readonly cost?: number
  /** Answers every comparison itself; throws a SearchError for what it does not know. */
  readonly virtual?: (test: FieldTest, options: SearchOptions) => Sql
  /** Answers `has` itself, and by its opposite `null?`. */
  readonly present?: (about: Pick<FieldTest, 'key' | 'root' | 'counting'>) => Sql
  /** The operator a word of free text is compared with; else `like` for plain text and `eq` for everything else. */
  readonly freeOperator?: Operator
}

/** What can be searched for in the records of one resource. */
export interface SearchSchema {
  readonly resource: string
  readonly table: string
  /** In this order errors are found and free text is compared. */
  readonly fields: readonly SearchField[]
  /** The order of a list that asks for none, e.g. `name` or `time desc`. */
  readonly order?: string
}

/** What a search means depends on when, where and by whom it is asked. */
export interface SearchOptions {
  readonly now: Date
  /** IANA name of the time zone that dates are read in. */
  readonly zone: string
  /** What the special words of fields stand for; null means there is no such thing in this request. */
  readonly words?: Readonly<Record<string, string | number | null>>
  /** Whether who asks holds a permission for all records of its type. */
  readonly unlimited?: (permission: string) => boolean
  /** SQL alias of the resource's own table. */
  readonly root: string
}
