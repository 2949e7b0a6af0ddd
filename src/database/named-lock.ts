import { sql } from '../sql.ts'
import { type Db, rows } from './sql.ts'

/**
 * Waits until no other transaction holds the lock of this name (ignoring case), and holds it until the transaction
 * ends. Use it for rules that no constraint can state. The look-up must follow as a separate statement, to see writes
 * of others under the lock. A server has memory for some thousand locks, so a transaction that repeats a check must use
 * the same lock.
 */
export async function lockName(tx: Db, name: string): Promise<void> {
  await rows(tx, sql`select pg_advisory_xact_lock(hashtext(fold(${name}::text)))`)
}
