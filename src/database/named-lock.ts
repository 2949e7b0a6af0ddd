import { sql } from '../sql.ts'
import { type Db, rows } from './sql.ts'

/**
 * Waits until no other transaction holds the lock of this name, whatever its case, and holds it until this one ends. For
 * rules that no constraint can state: the name is what may be there once, and the look-up follows as a statement of its
 * own, which sees what others have written under the lock. The memory of a server holds some thousand locks, so a
 * transaction that does the same many times has to take the same one.
 */
export async function lockName(tx: Db, name: string): Promise<void> {
  await rows(tx, sql`select pg_advisory_xact_lock(hashtext(fold(${name}::text)))`)
}
