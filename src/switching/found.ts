import type { Context } from '../context.ts'
import type { Members } from '../lib/values.ts'
import type { Body } from './adapt.ts'
import type { KnownEntry } from './journal.ts'
import type { Shape } from './members.ts'
import type { Spot } from './own-records.ts'

/** A record of the old server that is to be taken. */
export interface Found extends Spot {
  readonly shape: Shape
  readonly theirId: number
  readonly record: Members
  /** Its entry in the journal of an earlier import. */
  readonly entry: KnownEntry | undefined
  /** Yields the id of the record here that has the same names. */
  readonly match: (ctx: Context, body: Body) => Promise<number | undefined>
  /** Does further work in the transaction that stores the record. */
  readonly further?: (tx: Context, id: number) => Promise<void>
  /** What belongs to the record besides its body. */
  readonly also?: unknown
}
