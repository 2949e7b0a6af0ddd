import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { removeMembers } from '../identity/administrators.ts'
import { buildSystemCause, recordIdentityAudit } from '../identity/system-audit.ts'

/** The groups of a user, according to their source. */
export interface Membership {
  readonly userId: number
  readonly sourceId: number
  /** Names of all groups that the user is in, however deep. */
  readonly groups: ReadonlySet<string>
  /** Directories ignore case in group names, web servers do not (core-api §4.7, §6.5). */
  readonly compare: 'any_case' | 'exact'
  readonly address: string | null
}

/**
 * Makes a user a member of the user groups that are linked to these groups of the source, and of no other group linked
 * to it (core-api §6.5). Groups without a link stay as they are. Changes are audited on the user. Yields whether there
 * were any.
 */
export async function syncGroups(db: Db, membership: Membership): Promise<boolean> {
  // Usually nothing has changed. Then nothing is written, because a write would clear the caches of all processes.
  if (!differs(await loadDifference(db, membership))) return false
  await db.transaction(async (tx) => {
    await rows(tx, sql`select from users where id = ${membership.userId} for no key update`)
    const changed = await loadDifference(tx, membership)
    if (differs(changed)) await apply(tx, membership, changed)
  })
  return true
}

interface Difference {
  readonly held: readonly number[]
  readonly lost: readonly number[]
  readonly gained: readonly number[]
}

function differs({ lost, gained }: Difference): boolean {
  return lost.length + gained.length > 0
}

async function loadDifference(db: Db, { userId, sourceId, groups, compare }: Membership): Promise<Difference> {
  const names = sql`unnest(${[...groups]}::text[]) as known (name)`
  const matches: Sql =
    compare === 'exact'
      ? sql`name in (select known.name from ${names})`
      : sql`fold(name) in (select fold(known.name) from ${names})`
  const found = await row<Difference>(
    db,
    sql`
      with held as (
        select usergroup_id as id from usergroup_users where user_id = ${userId}
      ),
      linked as (
        select usergroup_id as id, bool_or(${matches}) as matched
        from external_usergroups where auth_source_id = ${sourceId} group by usergroup_id
      )
      select array(select id from held order by id) as held,
             array(select id from linked where not matched and id in (select id from held) order by id) as lost,
             array(select id from linked where matched and id not in (select id from held) order by id) as gained`,
  )
  return found ?? { held: [], lost: [], gained: [] }
}

async function apply(tx: Db, { userId, address }: Membership, { held, lost, gained }: Difference): Promise<void> {
  const left = lost.length > 0 && (await removeMembers(tx, lost, [userId])) ? lost : []
  if (left.length + gained.length === 0) return
  if (gained.length > 0) {
    // The lock ensures that a group is either there until the commit or already deleted.
    await rows(
      tx,
      sql`
        insert into usergroup_users (usergroup_id, user_id)
        select id, ${userId}::bigint from (
          select id from usergroups where id = any (${gained}::bigint[]) order by id for key share) present
        on conflict do nothing`,
    )
  }
  const now = [...held.filter((id) => !left.includes(id)), ...gained].sort((one, other) => one - other)
  await recordIdentityAudit(tx, buildSystemCause(address), {
    action: 'update',
    type: 'User',
    id: userId,
    changes: { usergroup_ids: [held, now] },
  })
}
