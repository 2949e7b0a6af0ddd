import type { Context } from '../context.ts'
import type { Found } from './found.ts'
import type { Ids } from './ids.ts'
import type { Kind } from './kinds.ts'
import type { OldServer } from './old-server.ts'
import type { OwnRecords } from './own-records.ts'
import type { Reporting } from './report.ts'
import type { TheirRecords } from './their-records.ts'
import type { Working } from './working.ts'

/** What an import is asked for. */
export interface ImportOrder {
  /** The address of the old server, by which later imports know its records. */
  readonly address: string
  /** Computes and reports what an import would do, and stores nothing. */
  readonly isPlan: boolean
  /** Records here get the ids that they have there, as far as these are free. */
  readonly keepsIds: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** How far an import is. */
export interface Progress {
  readonly kind: string
  readonly done: number
  readonly kinds: number
  readonly records: number
}

/** The state of an import. */
export interface Run extends Pick<ImportOrder, 'address' | 'isPlan'> {
  ctx: Context
  readonly working: Working
  readonly server: Pick<OldServer, 'get' | 'each'>
  /** The kinds that it takes, in the order of their relations. */
  readonly kinds: readonly Kind[]
  readonly their: TheirRecords
  readonly own: OwnRecords
  readonly ids: Ids
  readonly reporting: Reporting
  readonly order: ImportOrder
  /** Records of the present kind that refer to later ones. */
  again: Set<number>
  isSecondRound: boolean
  /** Records that were refused in the first round; the second one counts them. */
  readonly postponed: Set<string>
  readonly beforeCreate: (ctx: Context, found: Found) => Promise<void>
}
