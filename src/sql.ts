/**
 * SQL as a template: what stands between the braces is bound as a value, unless it is SQL itself. Names come from `sql.ref` (a column,
 * perhaps of an alias: `t.name`), `sql.table` and `sql.id`.
 */
export class Sql<Row = unknown> {
  readonly #texts: readonly string[]
  readonly #values: readonly unknown[]

  /** The texts stand around the values: there is one more of them. */
  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts
    this.#values = values
  }

  /** Runs it as a statement. */
  async execute(db: Executor): Promise<Outcome<Row>> {
    return (await db.execute(this)) as Outcome<Row> // whoever writes a statement knows its columns
  }

  /** Yields the text with placeholders (`$1`), and the values for them in order. */
  compile(): Compiled {
    const values: unknown[] = []
    return { text: this.#write(values), values }
  }

  #write(values: unknown[]): string {
    let text = this.#texts[0] ?? ''
    for (let at = 0; at < this.#values.length; at++) {
      const value = this.#values[at]
      text += value instanceof Sql ? value.#write(values) : `$${values.push(value)}`
      text += this.#texts[at + 1] ?? ''
    }
    return text
  }
}

/** A statement as it is sent. */
export interface Compiled {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The result of a statement. */
export interface Outcome<Row = unknown> {
  /** The first word of the statement, such as INSERT. */
  readonly command: string | undefined
  /** How many rows it has yielded or changed. */
  readonly rowCount: number | null
  readonly rows: Row[]
}

/** What runs statements. */
interface Executor {
  execute(statement: Sql): Promise<Outcome>
}

function write<Row = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  return new Sql(texts, values)
}

const COMMA = writeRaw(', ')

function writeRaw(text: string): Sql {
  return new Sql([text], [])
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function formatLiteral(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** Writes SQL. */
export const sql = Object.assign(write, {
  /** SQL as it stands, never from outside. */
  raw: writeRaw,
  /** A value in the text itself, where it must not be bound. */
  lit: (value: string | number | boolean | null) => writeRaw(formatLiteral(value)),
  /** A column: `name`, or `alias.name`. */
  ref: (path: string) => writeRaw(path.split('.').map(quoteName).join('.')),
  table: (path: string) => writeRaw(path.split('.').map(quoteName).join('.')),
  /** A name of parts, which may have dots in them. */
  id: (...names: readonly string[]) => writeRaw(names.map(quoteName).join('.')),
  /** Values or SQL one after the other, with commas or something else between them. */
  join(parts: readonly unknown[], separator: Sql = COMMA): Sql {
    if (parts.length === 0) return writeRaw('')
    const values = parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))
    return new Sql(Array<string>(values.length + 1).fill(''), values)
  },
})

/** Joins conditions by AND; `true` when there are none. */
export function joinAll(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions.map(inParentheses), sql` and `)}`
}

/** Joins conditions by OR; `false` when there are none. */
export function joinAny(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions.map(inParentheses), sql` or `)})`
}

function inParentheses(condition: Sql): Sql {
  return sql`(${condition})`
}
