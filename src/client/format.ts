import { usage } from './failure.ts'

export const FORMATS = ['table', 'json', 'yaml', 'csv', 'jsonl', 'name'] as const
export type Format = (typeof FORMATS)[number]

export interface Shape {
  readonly format: Format
  readonly columns: readonly string[] | null
  readonly hasHeaders: boolean
  /** Of the values of CSV. */
  readonly separator: string
  /** Of the terminal; null where there is none. */
  readonly width: number | null
  readonly hasColours: boolean
  /** What people know records by. */
  readonly label: string
}

export function readFormat(text: string | undefined): Format | null {
  if (text === undefined) return null
  const format = FORMATS.find((each) => each === text || (text === 'base' && each === 'table'))
  if (!format) throw usage(`--output is ${JSON.stringify(text)}, but must be one of ${FORMATS.join(', ')}`)
  return format
}
