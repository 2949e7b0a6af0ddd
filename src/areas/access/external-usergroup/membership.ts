import { type Context, inTransaction } from '../../../context.ts'
import { DirectoryError } from '../../../directory/errors.ts'
import { invalid } from '../../../errors.ts'
import {
  createRecord,
  lock,
  type NewDraft,
  type Resource,
  readBack,
  readDraft,
  remove,
  resolveParents,
  type Stored,
  updateStored,
  validateBody,
} from '../../../kernel/index.ts'
import { membersOf } from '../../../lib/values.ts'
import { findDeclared } from '../../../records/declared.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { type RefreshOptions, refreshGroups } from '../directories/group-refresh.ts'
import { loadSources } from '../directories/sources.ts'
import { type ExternalUsergroupFields, externalUsergroupFields } from './fields.ts'

const RELINKED: RefreshOptions = { relinked: true }

/** Links a group of a source to a user group, after asking the directory whether the group exists. */
export async function createLink(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { draft: given } = await resolveParents(ctx, resource, input)
  const validated = await validateBody(ctx, resource, input.body)
  const draft = await readDraft(ctx, linksOf(resource), validated, null, given)
  await refuseUnknownGroup(ctx, draft, null)
  const id = await inTransaction(ctx, (tx) => {
    tx.afterCommit(() => refreshQuietly(ctx, draft.auth_source, [draft.usergroup]))
    return createRecord(tx, resource, draft)
  })
  return { status: 201, body: await readBack(ctx, resource, id) }
}

/** Changes a link, after asking the directory whether the group exists. */
export async function changeLink(
  ctx: Context,
  resource: Resource,
  input: Input,
  { id }: Stored<ExternalUsergroupFields>,
): Promise<Answer> {
  const stored = await lock(ctx, linksOf(resource), id) // and unlocked at once: no transaction is open while the directory is asked
  const validated = await validateBody(ctx, resource, input.body)
  const draft = await readDraft(ctx, linksOf(resource), validated, stored)
  const changed = { name: stored.name, auth_source: stored.auth_source_id, usergroup: stored.usergroup_id, ...draft }
  await refuseUnknownGroup(ctx, changed, stored.id)
  await inTransaction(ctx, async (tx) => updateStored(tx, resource, await lock(tx, resource, stored.id), draft))
  const { auth_source_id: before, usergroup_id: usergroup } = stored
  await refreshQuietly(ctx, changed.auth_source, [usergroup, changed.usergroup], RELINKED)
  if (before !== changed.auth_source) await refreshQuietly(ctx, before, [usergroup], RELINKED)
  return { status: 200, body: await readBack(ctx, resource, stored.id) }
}

/** Deletes a link. Members who are in the user group only because of it leave. */
export async function deleteLink(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const answer = await remove(ctx, resource, input)
  const { auth_source_id, usergroup_id } = membersOf(answer.body)
  await refreshQuietly(ctx, Number(auth_source_id), [Number(usergroup_id)], RELINKED)
  return answer
}

/** Updates the members from the directory at once. {@throws Failure} invalid when the directory cannot be asked */
export async function refreshLink(
  ctx: Context,
  resource: Resource,
  _input: Input,
  link: Stored<ExternalUsergroupFields>,
): Promise<Answer> {
  const { id, auth_source_id, usergroup_id } = link
  try {
    const [kept] = await refreshGroups(ctx, auth_source_id, [usergroup_id])
    if (kept) {
      const reason = `the directory lists nobody, and ${kept.name} has ${kept.members} members of this source`
      const advice = 'check the filter and the permissions of the account, or remove the members from the user group'
      throw invalid({ auth_source_id: [`LDAP error - ${reason}: ${advice}`] }, id)
    }
  } catch (error) {
    throw error instanceof DirectoryError ? invalid({ auth_source_id: [`LDAP error - ${error.message}`] }, id) : error
  }
  return { status: 200, body: await readBack(ctx, resource, id) }
}

/** Refuses groups that the directory does not have. Other kinds of sources cannot be asked (core-api §6.6). */
async function refuseUnknownGroup(
  ctx: Context,
  draft: NewDraft<ExternalUsergroupFields>,
  id: number | null,
): Promise<void> {
  const [source] = await loadSources(ctx.db, ctx.encryption, [draft.auth_source])
  if (!source) return
  const { name } = draft
  if (source.directory.serverType === 'directory_b' && name.toLowerCase() === 'domain users') {
    throw invalid({ name: ['Domain Users is a special group that holds everybody'] }, id)
  }
  try {
    if (await ctx.directories.of(source.directory).hasGroup(name)) return
  } catch (error) {
    throw error instanceof DirectoryError ? invalid({ auth_source_id: [`LDAP error - ${error.message}`] }, id) : error
  }
  throw invalid({ name: ['is not found in the authentication source'] }, id)
}

/**
 * Updates the members of groups whose link is stored already; if the directory fails, the background refresh tries
 * again.
 */
async function refreshQuietly(
  ctx: Context,
  source: number,
  usergroups: readonly number[],
  options?: RefreshOptions,
): Promise<void> {
  try {
    await refreshGroups(ctx, source, usergroups, options)
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    ctx.log.warn({ source, err: error }, 'user group refresh failed')
  }
}

function linksOf({ registry, name }: Resource) {
  return findDeclared(registry, name, externalUsergroupFields)
}
