import type { Context } from '../../../context.ts'
import type { AuditCause } from '../../../database/audits.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import type { Directory } from '../../../directory/directory.ts'
import { DirectoryError, isOutage } from '../../../directory/errors.ts'
import { sql } from '../../../sql.ts'
import { removeMembers } from '../identity/administrators.ts'
import { buildSystemCause, recordIdentityAudit } from '../identity/system-audit.ts'
import { isMassRemoval } from './mass-removal.ts'
import { loadSources } from './sources.ts'

/** The dependencies of a refresh. With `user` and `origin` its audits name that user. */
export type RefreshContext = Pick<Context, 'db' | 'encryption' | 'directories' | 'log'> &
  Partial<Pick<Context, 'user' | 'origin'>>

/** How careful a refresh is (docs/decisions/0006-directory-removal.md). */
export interface RefreshOptions {
  /**
   * For refreshes that nobody asked for: mass removals are skipped, and a failure with one group does not keep the others
   * from being refreshed.
   */
  readonly guarded?: boolean
  /**
   * After links were changed or deleted: members leave also if the directory lists nobody for the links that remain.
   * Otherwise an answer without any people empties no group, because it is rather a wrong filter or a missing permission.
   */
  readonly relinked?: boolean
}

/** A group whose members a refresh did not remove, because the directory lists nobody. */
export interface KeptGroup {
  readonly name: string
  readonly members: number
}

/**
 * Updates the members of user groups from a directory: all people in the linked directory groups, however deep
 * (core-api §6.5). Members from other sources stay, unknown people are not registered. Does nothing for sources that
 * are no directories. Yields the groups that it did not empty. {@throws DirectoryError} when the directory fails; that
 * group is left as it was
 */
export async function refreshGroups(
  ctx: RefreshContext,
  sourceId: number,
  usergroupIds: readonly number[] | 'all',
  { guarded = false, relinked = false }: RefreshOptions = {},
): Promise<readonly KeptGroup[]> {
  const [source] = await loadSources(ctx.db, ctx.encryption, [sourceId])
  const kept: KeptGroup[] = []
  if (!source) return kept
  const directory = ctx.directories.of(source.directory)
  for (const group of await findGroups(ctx.db, sourceId, usergroupIds)) {
    try {
      const answer = await membersOf(directory, group.names)
      const isKept = await refresh(ctx, sourceId, group, answer, { guarded, relinked })
      if (isKept) kept.push({ name: group.name, members: group.members.length })
    } catch (error) {
      if (!guarded || !(error instanceof DirectoryError) || isOutage(error)) throw error
      ctx.log.warn({ err: error, source: sourceId, usergroup: group.id }, 'user group refresh failed')
    }
  }
  return kept
}

/** A user group as it was before the directory was asked. */
interface Group {
  readonly id: number
  readonly name: string
  /** Names of the linked directory groups. */
  readonly names: readonly string[]
  /** Its members who are users of the source. */
  readonly members: readonly number[]
}

interface Answer {
  readonly logins: readonly string[]
  /** Linked groups that the directory does not have. */
  readonly missing: readonly string[]
}

interface Difference {
  readonly gained: readonly number[]
  readonly lost: readonly number[]
}

function findGroups(db: Db, sourceId: number, ids: readonly number[] | 'all'): Promise<Group[]> {
  const chosen =
    ids === 'all'
      ? sql`id in (select usergroup_id from external_usergroups where auth_source_id = ${sourceId})`
      : sql`id = any (${ids}::bigint[])`
  return rows<Group>(
    db,
    sql`
      select id, name, ${selectLinkedNames(sourceId)} as names,
             array(select users.id from usergroup_users join users on users.id = user_id
                   where usergroup_id = usergroups.id and auth_source_id = ${sourceId} order by 1) as members
      from usergroups where ${chosen} order by id`,
  )
}

function selectLinkedNames(sourceId: number) {
  return sql`array(select external_usergroups.name from external_usergroups
                   where usergroup_id = usergroups.id and auth_source_id = ${sourceId} order by 1)`
}

/** Asks for the groups one after the other: nobody waits for a refresh, and logins need the connections. */
async function membersOf(directory: Directory, names: readonly string[]): Promise<Answer> {
  const logins = new Set<string>()
  const missing: string[] = []
  for (const name of names) {
    const members = await directory.membersOf(name)
    if (!members) missing.push(name)
    for (const login of members ?? []) if (!login.includes('\0')) logins.add(login)
  }
  return { logins: [...logins], missing }
}

async function refresh(
  ctx: RefreshContext,
  sourceId: number,
  group: Group,
  answer: Answer,
  { guarded, relinked }: Required<RefreshOptions>,
): Promise<boolean> {
  const changed = await loadDifference(ctx.db, sourceId, group, answer)
  const wouldEmpty = !relinked && changed.lost.length > 0 && answer.logins.length === 0
  if (wouldEmpty || (guarded && isSuspicious(group, changed, answer))) {
    await refuse(ctx, sourceId, group, changed, answer)
    return true
  }
  await ctx.db.transaction((tx) => store(tx, sourceId, group, changed, causeOf(ctx)))
  return false
}

/** Compares the answer with the members from before the question, so that a login in the meantime is not undone. */
async function loadDifference(db: Db, sourceId: number, group: Group, { logins }: Answer): Promise<Difference> {
  const found = await row<Difference>(
    db,
    sql`
      with there as (
        select fold(login) as login from unnest(${logins}::text[]) as known (login)
      ),
      here as (
        select id, fold(login) in (select login from there) as is_there, id = any (${group.members}::bigint[]) as is_member
        from users where auth_source_id = ${sourceId}
      )
      select array(select id from here where is_there and not is_member order by id) as gained,
             array(select id from here where is_member and not is_there order by id) as lost`,
  )
  return found ?? { gained: [], lost: [] }
}

/** Whether the difference looks like a directory that shows too little rather than like people who have left. */
function isSuspicious({ members }: Group, { lost }: Difference, { missing }: Answer): boolean {
  return lost.length > 0 && (missing.length > 0 || isMassRemoval(members.length, lost.length))
}

async function refuse(
  ctx: RefreshContext,
  sourceId: number,
  { id, name, members }: Group,
  { lost }: Difference,
  { logins, missing }: Answer,
): Promise<void> {
  ctx.log.error(
    { source: sourceId, usergroup: id, name, members: members.length, wouldRemove: lost.length, missing },
    'user group refresh refused: it would remove too many members',
  )
  const advice =
    logins.length === 0
      ? 'The directory lists nobody. Remove the members from the user group if that is right.'
      : 'Refresh the external user group by request if that is right.'
  const comment = `Refresh refused: it would have removed ${lost.length} of ${members.length} members. ${advice}`
  const last = await row<{ comment: string | null }>(
    ctx.db,
    sql`
      select comment from audits where auditable_type = 'Usergroup' and auditable_id = ${id} order by version desc limit 1`,
  )
  if (last?.comment === comment) return
  const entry = { action: 'update', type: 'Usergroup', id, changes: {}, comment } as const
  await ctx.db.transaction((tx) => recordIdentityAudit(tx, causeOf(ctx), entry))
}

async function store(tx: Db, sourceId: number, group: Group, changed: Difference, cause: AuditCause): Promise<void> {
  const { id, names } = group
  const locked = await row<{ names: string[] }>(
    tx,
    sql`select ${selectLinkedNames(sourceId)} as names from usergroups where id = ${id} for no key update`,
  )
  // If the links have changed meanwhile, whoever did that refreshes the group.
  if (!locked || JSON.stringify(locked.names) !== JSON.stringify(names)) return
  if (changed.gained.length + changed.lost.length > 0) await change(tx, sourceId, id, changed, cause)
  await rows(
    tx,
    sql`
      update external_usergroups set refreshed_at = now() where usergroup_id = ${id} and auth_source_id = ${sourceId}`,
  )
}

async function change(
  tx: Db,
  sourceId: number,
  id: number,
  { gained, lost }: Difference,
  cause: AuditCause,
): Promise<void> {
  const before = await loadMemberIds(tx, id)
  const removed = lost.length > 0 && (await removeMembers(tx, [id], lost))
  if (!removed && gained.length === 0) return
  if (gained.length > 0) {
    await rows(
      tx,
      sql`
        insert into usergroup_users (usergroup_id, user_id)
        select ${id}::bigint, present.id from (
          select users.id from users where users.id = any (${gained}::bigint[]) and auth_source_id = ${sourceId}
          order by 1 for key share) present
        on conflict do nothing`,
    )
  }
  const changes = { user_ids: [before, await loadMemberIds(tx, id)] }
  await recordIdentityAudit(tx, cause, { action: 'update', type: 'Usergroup', id, changes })
}

async function loadMemberIds(tx: Db, id: number): Promise<readonly number[]> {
  const found = await row<{ ids: number[] }>(
    tx,
    sql`select array(select user_id from usergroup_users where usergroup_id = ${id} order by 1) as ids`,
  )
  return found?.ids ?? []
}

function causeOf({ user, origin }: RefreshContext): AuditCause {
  if (!user) return buildSystemCause()
  return {
    userId: user.id,
    userName: user.name,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
  }
}
