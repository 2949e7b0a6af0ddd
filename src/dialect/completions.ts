import { isMembers, type Members } from '../values.ts'
/** What a key shows: always the same, or what the rest of the record makes of it. */
export type Filling = null | boolean | number | string | readonly [] | Members | Made

/** Made of the record and of the parents in the path; such a key is written anew where the record has it. */
export type Made = (record: Members, params: Readonly<Record<string, string>>) => unknown

/**
 * Keys of records, by where they stand: in lists, in lists that are asked for in bodies, alone, or as the bare row that some
 * writes answer with.
 */
export interface Completions {
  readonly list?: Readonly<Record<string, Filling>>
  readonly asked?: Readonly<Record<string, Filling>>
  readonly one?: Readonly<Record<string, Filling>>
  readonly row?: Readonly<Record<string, Filling>>
}

/** Each record of a list with further keys, whose own win; undefined for anything else. */
export function withKeysInEach(records: unknown, additional: Members): unknown {
  return Array.isArray(records) ? records.map((each) => ({ ...additional, ...each })) : undefined
}

/** An object with further keys, whose own win; undefined for anything else. */
export function withKeys(value: unknown, additional: Members): unknown {
  return isMembers(value) ? { ...additional, ...value } : undefined
}
