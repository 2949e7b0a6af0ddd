import type { Outcome, Sql } from '../sql.ts'
import type { AuditCall } from './audit-call.ts'

/** A target for statements: the database, or a transaction. */
export interface Db {
  readonly isTransaction: boolean
  /** Audits of a transaction that wait to be written together; null where they are written at once. */
  waitingAudits: AuditCall[] | null
  /** Runs a statement. {@throws Failure} 'unavailable' when the database cannot be used */
  execute(statement: Sql): Promise<Outcome>
  /**
   * Reads. Outside of a transaction the statement may be sent together with those of other requests: it changes nothing, locks
   * nothing, and has no other effect, so that it may also be repeated.
   */
  read(statement: Sql): Promise<Outcome>
  /**
   * Sends a statement of a transaction together with the next one, whatever that is, so that both take one round trip. When it
   * fails, so does the next one, with its error. Yields a function that yields its rows, to be called after the next statement.
   * Outside of a transaction the statement is sent at once.
   */
  enqueue<Row>(statement: Sql): () => Promise<Row[]>
  /** Does work in a transaction, which is undone when the work throws. Inside of it only its own handle is to be used. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Does work that only reads, and sees the database as it is at its first statement. */
  readSnapshot<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
}
