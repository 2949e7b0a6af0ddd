import { printJson, readJson } from '../../../classification/json.ts'
import { identityOf, type Value } from '../../../classification/values.ts'
import { parseExact } from '../../../database/exact.ts'

/** A value of an exact JSON field, from a request or a row. {@throws Unfit} for numbers without end and the like */
export function fromField(stored: unknown): Value {
  return readJson(JSON.stringify(stored ?? null))
}

/** A value of the resolver as the field shows it. */
export function toField(value: Value): unknown {
  return value === null ? null : parseExact(printJson(value))
}

/** Whether two values are the same, whatever the order of the keys in them. */
export function isSame(left: Value, right: Value): boolean {
  return identityOf(left) === identityOf(right)
}
