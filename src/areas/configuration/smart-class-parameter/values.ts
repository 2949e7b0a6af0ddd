import { printJson, readJson } from '../../../classification/json.ts'
import type { Value } from '../../../classification/values.ts'
import { parseExact, printExact } from '../../../lib/lossless-json.ts'

/** The value in an exact JSON field of a request or row. {@throws Unfit} for values out of range */
export function fromField(stored: unknown): Value {
  return readJson(printExact(stored ?? null))
}

/** Converts a value for an exact JSON field of an answer or a row. */
export function toField(value: Value): unknown {
  return value === null ? null : parseExact(printJson(value))
}

/** Whether two values are equal, with the order of keys. */
export function isSame(left: Value, right: Value): boolean {
  return printJson(left) === printJson(right)
}
