/** What a value in a row is: text and numbers are typed, the others are chosen. */
export const KINDS = ['text', 'number', 'true', 'false', 'null'] as const

export type Kind = (typeof KINDS)[number]

/** A row of a list or map; the key counts in maps only. */
export interface FlatRow {
  readonly key: string
  readonly kind: Kind
  /** The text or number as it is typed. */
  readonly text: string
}

/** A list or map without lists, maps and texts of several lines in it. */
export interface Flat {
  readonly isMap: boolean
  readonly rows: readonly FlatRow[]
}

const TYPES: readonly string[] = ['array', 'hash', 'json', 'yaml']

/** Reads the text of a value as rows; null where its type has none, or where the value is nested or is no JSON. */
export function flatOf(type: string, text: string): Flat | null {
  if (!TYPES.includes(type)) return null
  if (text.trim() === '') return { isMap: type !== 'array', rows: [] }
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return null
  const isMap = !Array.isArray(value)
  if (isMap === (type === 'array') || (!isMap && type === 'hash')) return null
  const rows = Object.entries(value).map(([key, one]) => rowOf(key, one))
  return rows.every((row) => row !== null) ? { isMap, rows } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function rowOf(key: string, value: unknown): FlatRow | null {
  if (typeof value === 'string') return /[\r\n]/.test(value + key) ? null : { key, kind: 'text', text: value }
  if (typeof value === 'number') return { key, kind: 'number', text: String(value) }
  const kind = KINDS.find((one) => one === String(value))
  return typeof value === 'object' && value !== null ? null : { key, kind: kind ?? 'null', text: '' }
}

/** Formats rows as JSON, as values are formatted for editing. */
export function printFlat({ isMap, rows }: Flat): string {
  const [open, close] = isMap ? '{}' : '[]'
  if (rows.length === 0) return `${open}${close}`
  const lines = rows.map((row) => `  ${isMap ? `${JSON.stringify(row.key)}: ` : ''}${printRow(row)}`)
  return `${open}\n${lines.join(',\n')}\n${close}`
}

function printRow({ kind, text }: FlatRow): string {
  if (kind === 'text') return JSON.stringify(text)
  return kind === 'number' ? text.trim() : kind
}

/** Tells whether a number is typed as JSON has it. */
export function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text.trim())
}
