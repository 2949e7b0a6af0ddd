import { isMembers, type Members } from '../../lib/values.ts'
/** The value of an added key: a constant, or a function of the record. */
export type Filling = null | boolean | number | string | readonly [] | Members | Made

/** Makes a value from the record and the parents in the path; it replaces an existing key. */
export type Made = (record: Members, params: Readonly<Record<string, string>>) => unknown

/**
 * The keys to add to records by where they appear: in lists, in lists requested by a body, alone, or as the bare row that
 * some writes answer with.
 */
export interface Completions {
  readonly list?: Readonly<Record<string, Filling>>
  readonly asked?: Readonly<Record<string, Filling>>
  readonly one?: Readonly<Record<string, Filling>>
  readonly row?: Readonly<Record<string, Filling>>
}

/** Adds keys to each record of a list, unless the record has them; undefined for anything else. */
export function withKeysInEach(records: unknown, additional: Members): unknown {
  return Array.isArray(records) ? records.map((each) => ({ ...additional, ...each })) : undefined
}

/** Adds keys to an object, unless it has them; undefined for anything else. */
export function withKeys(value: unknown, additional: Members): unknown {
  return isMembers(value) ? { ...additional, ...value } : undefined
}
