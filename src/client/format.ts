import { usage } from './failure.ts'

const FORMATS = ['table', 'json', 'yaml', 'csv', 'jsonl', 'name'] as const

/** A format of output. */
export type Format = (typeof FORMATS)[number]

/** How records are printed. */
export interface Shape {
  readonly format: Format
  readonly columns: readonly string[] | null
  readonly hasHeaders: boolean
  /** Separates the values of a CSV line. */
  readonly separator: string
  /** The width of the terminal in columns; null where there is no terminal. */
  readonly width: number | null
  readonly hasColours: boolean
  /** The key by which people know records. */
  readonly label: string
}

/** Reads the option `output`; `base` is another word for `table`. {@throws Failure} for an unknown format */
export function readFormat(text: string | undefined): Format | null {
  if (text === undefined) return null
  const format = FORMATS.find((each) => each === text || (text === 'base' && each === 'table'))
  if (!format) throw usage(`--output is ${JSON.stringify(text)}, but must be one of ${FORMATS.join(', ')}`)
  return format
}
