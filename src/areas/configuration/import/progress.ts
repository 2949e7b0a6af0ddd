import { type Db, row } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import type { ImportCause } from './audits.ts'
import type { ClassSource } from './source.ts'

/** Stores the progress of an import in `class_imports`, for those who follow it or ask later. */
export interface Progress {
  readonly id: number
  /** Stores the number of environments to be read. */
  begin(environments: number): Promise<void>
  /** Stores that an environment is done, in the transaction that stores its difference. */
  done(tx: Db, environment: string, isUnchanged: boolean): Promise<void>
  end(status: 'finished' | 'failed', message: string): Promise<void>
}

/**
 * Stores that an import begins. Imports that have made no progress for two hours are stored as failed, because their
 * process must have ended.
 */
export async function startProgress(
  db: Db,
  { label: called, smartProxyId }: ClassSource,
  { user }: ImportCause,
  { dryrun, force }: { readonly dryrun: boolean; readonly force: boolean },
): Promise<Progress> {
  await sql`
    update class_imports set status = 'failed', message = ${INTERRUPTED}, environment_name = null, finished_at = now(), updated_at = now()
    where status = 'running' and updated_at < now() - interval '2 hours'`.execute(db)
  const made = await row<{ id: number }>(
    db,
    sql`insert into class_imports (smart_proxy_id, source, user_id, requested_by, dryrun, force)
      values (${smartProxyId}, ${called}, ${user.id}, ${user.name}, ${dryrun}, ${force}) returning id`,
  )
  if (!made) throw new Error('inserting into class_imports returned nothing')
  const { id } = made
  return {
    id,
    async begin(environments) {
      await sql`update class_imports set environments = ${environments}, updated_at = now() where id = ${id}`.execute(
        db,
      )
    },
    async done(tx, environment, isUnchanged) {
      await sql`
        update class_imports set environment_name = ${environment}, environments_done = environments_done + 1,
          environments_unchanged = environments_unchanged + ${isUnchanged ? 1 : 0}, updated_at = now()
        where id = ${id}`.execute(tx)
    },
    async end(status, message) {
      await sql`
        update class_imports set status = ${status}, message = ${message}, environment_name = null, finished_at = now(), updated_at = now()
        where id = ${id}`.execute(db)
    },
  }
}

const INTERRUPTED = 'interrupted; what it had imported is kept, and the next import goes on'
