import { type Db, row, rows } from '../../../database/sql.ts'
import type { Directory } from '../../../directory/directory.ts'
import { DirectoryError, isOutage } from '../../../directory/errors.ts'
import { sql } from '../../../sql.ts'
import { isAdministratorLeft, lockAdministrators, selectAdministratorsByGroup } from '../identity/administrators.ts'
import { endSessionsOf } from '../identity/sessions.ts'
import { buildSystemCause, recordIdentityAudit } from '../identity/system-audit.ts'
import type { RefreshContext } from './group-refresh.ts'
import { isMassRemoval } from './mass-removal.ts'
import type { Source } from './sources.ts'

/**
 * Disables users who have left their directory but still have a session or a token, with which they would not be
 * checked there (docs/decisions/0006-directory-removal.md). Nobody is disabled when they would be suspiciously many,
 * and never the last administrator. {@throws DirectoryError} when the directory fails as a whole
 */
export async function disableVanished(ctx: RefreshContext, source: Source, signal: AbortSignal): Promise<void> {
  const directory = ctx.directories.of(source.directory)
  const holders = await findHolders(ctx.db, source.directory.id)
  const vanished: Holder[] = []
  for (const holder of holders) {
    if (signal.aborted) return
    if (await hasVanished(directory, holder)) vanished.push(holder)
  }
  if (isMassRemoval(holders.length, vanished.length)) {
    const counts = { checked: holders.length, vanished: vanished.length }
    ctx.log.error({ source: source.directory.id, ...counts }, 'too many users seem to have left the directory')
    return
  }
  for (const { id, login } of vanished) {
    const disabled = await ctx.db.transaction((tx) => disable(tx, id, source.directory.name))
    ctx.log.warn({ source: source.directory.id, user: id, login, disabled }, 'user has left the directory')
  }
}

interface Holder {
  readonly id: number
  readonly login: string
}

function findHolders(db: Db, sourceId: number): Promise<Holder[]> {
  return rows(
    db,
    sql`
      select id, login from users
      where auth_source_id = ${sourceId} and not disabled and (
        exists (select from sessions where user_id = users.id)
        or exists (select from personal_access_tokens where user_id = users.id
                   and not revoked and (expires_at is null or expires_at > now())))
      order by id`,
  )
}

/** Whether the directory has no such user. A failure about this user means that they are still there. */
async function hasVanished(directory: Directory, { login }: Holder): Promise<boolean> {
  try {
    return (await directory.find(login)) === null
  } catch (error) {
    if (!(error instanceof DirectoryError) || isOutage(error)) throw error
    return false
  }
}

async function disable(tx: Db, id: number, source: string): Promise<boolean> {
  await lockAdministrators(tx)
  const othersAreLeft = await isAdministratorLeft(tx, id)
  const disabled = await row(
    tx,
    sql`
      update users set disabled = true, updated_at = now()
      where id = ${id} and not disabled
        and (${othersAreLeft} or not (admin or id in ${selectAdministratorsByGroup()}))
      returning id`,
  )
  await endSessionsOf(tx, id)
  if (!disabled) return false
  const comment = `No longer found in ${source}`
  const changes = { disabled: [false, true] }
  await recordIdentityAudit(tx, buildSystemCause(), { action: 'update', type: 'User', id, changes, comment })
  return true
}
