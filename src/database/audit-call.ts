import type { Sql } from '../sql.ts'

/** The author of audits, and their request. */
export interface AuditCause {
  /** Null when the service itself acted. */
  readonly userId: number | null
  readonly userName: string
  readonly address: string | null
  readonly requestId: string | null
}

/** An audit to be written: what happened to one record (core-api §10). */
export interface AuditEntry {
  readonly action: 'create' | 'update' | 'destroy' | 'reveal'
  /** The type of the record, as audits name it. */
  readonly type: string
  readonly id: number
  /** The label of the record. */
  readonly name: string | null
  /** Values by field; of an update pairs of the old and the new value; none where hidden values were shown. */
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment?: string | null | undefined
}

/** From which organizations and locations the audits are visible: statements that select ids for the entry `written`. */
export interface AuditPlaces {
  readonly organizations?: Sql | undefined
  readonly locations?: Sql | undefined
}

/** Audits of one cause. */
export interface AuditCall {
  readonly cause: AuditCause
  readonly entries: readonly AuditEntry[]
  readonly places: AuditPlaces
}
