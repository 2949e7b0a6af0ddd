import { parse as parseArray } from 'postgres-array'
import { parseExact, printExact } from '../lib/lossless-json.ts'

/**
 * How values travel. Both drivers take and yield text, and only this file decides what the text means, so that a statement
 * yields numbers for int2, int4, int8, oid and floats, booleans,
 * parsed JSON, Buffers for bytea, arrays of these; all other types (numeric, dates, times, inet, uuid, intervals) stay the
 * text that PostgreSQL prints.
 */
export type Parse = (text: string) => unknown

const asText: Parse = (text) => text
const asBoolean: Parse = (text) => text === 't'
const asBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')

// Object ids of types are fixed in PostgreSQL's catalogue (pg_type.dat), in every version.
const KINDS: readonly { types: readonly number[]; arrays: readonly number[]; parse: Parse }[] = [
  { types: [16], arrays: [1000], parse: asBoolean },
  { types: [17], arrays: [1001], parse: asBytes },
  { types: [20, 21, 23, 26, 700, 701], arrays: [1016, 1005, 1007, 1028, 1021, 1022], parse: Number },
  { types: [114, 3802], arrays: [199, 3807], parse: parseExact },
  // char, name, text, bpchar, varchar, inet, cidr, uuid, numeric
  {
    types: [18, 19, 25, 1042, 1043, 869, 650, 2950, 1700],
    arrays: [1002, 1003, 1009, 1014, 1015, 1041, 651, 2951, 1231],
    parse: asText,
  },
  // date, time, timetz, timestamp, timestamptz, interval
  { types: [1082, 1083, 1266, 1114, 1184, 1186], arrays: [1182, 1183, 1270, 1115, 1185, 1187], parse: asText },
]

/** Yields the parser of a type by its object id. */
export function parserOf(type: number): Parse {
  return PARSERS[type] ?? asText
}

/** Parsers by the object id of the type; a type that is not listed stays text. */
const PARSERS: Readonly<Record<number, Parse>> = buildParsers()

/**
 * Converts a bound value to text. An array becomes a PostgreSQL array, an object becomes JSON. A JSON array or a JSON text
 * has to be bound as the result of `printExact`, because the type of the parameter is not known here.
 */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return formatArray(value)
  if (typeof value === 'object') return printExact(value)
  return String(value)
}

function buildParsers(): Record<number, Parse> {
  const result: Record<number, Parse> = {}
  for (const { types, arrays, parse } of KINDS) {
    for (const type of types) result[type] = parse
    for (const type of arrays) result[type] = (text) => parseArray(text, parse)
  }
  return result
}

function formatArray(values: readonly unknown[]): string {
  return `{${values.map(formatElement).join(',')}}`
}

function formatElement(value: unknown): string {
  if (Array.isArray(value)) return formatArray(value)
  const text = toText(value)
  if (text === null) return 'NULL'
  if (typeof value === 'number') return text
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
