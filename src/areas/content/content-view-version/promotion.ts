import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import {
  findResource,
  labelOf,
  lock,
  type Registry,
  recordAudit,
  referenceNotFound,
  type Stored,
  withFieldErrors,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { loadPermittedEnvironments } from '../content-view/present-content-views.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { lockPermitted, refusal } from './refusals.ts'

const PERMISSION = CONTENT_VIEW_PERMISSIONS.promote_or_remove_content_views

/** The permission for environments that versions are added to or removed from. */
export const TO_ENVIRONMENTS = 'promote_or_remove_content_views_to_environments'

/** A version, and the environments that it is to come into, all by id. */
export interface Promotion {
  /** Null for a version that is being published. */
  readonly version: number | null
  readonly environments: readonly number[]
  /** Whether the order of environments in their paths is ignored. */
  readonly force: boolean
}

/**
 * Promotes a version to environments, all or none, with the requester's present permissions. Hosts and keys that used
 * another version of the view there then use this one.
 */
export async function promoteVersion(
  tx: Context,
  registry: Registry,
  { version, environments, force }: Promotion & { readonly version: number },
): Promise<{ readonly environment_ids: readonly number[] }> {
  const versions = findResource(registry, 'content_view_version')
  // Publishing, promotion and removal lock the view, so that they wait for each other.
  const view = await lockPermitted(
    tx,
    findResource(registry, 'content_view'),
    await findViewOf(tx, version),
    PERMISSION,
  )
  const stored = await lock(tx, versions, version)
  await requirePromotable(tx, registry, view, { version, environments, force })
  const before = await placesOf(tx, version)
  // The constraint error of an environment that is being deleted becomes the one for a missing record.
  await withFieldErrors(versions, version, () =>
    sql`
    insert into content_view_environments (content_view_id, environment_id, content_view_version_id)
    select ${view.id}::bigint, unnest(${environments}::bigint[]), ${version}::bigint
    on conflict (content_view_id, environment_id) do update set content_view_version_id = excluded.content_view_version_id, promoted_at = now()
      where content_view_environments.content_view_version_id <> excluded.content_view_version_id`.execute(tx.db),
  )
  const after = await placesOf(tx, version)
  const record = { id: version, label: labelOf(versions, stored) }
  if (after.length > before.length)
    await recordAudit(tx, versions, 'update', record, { environment_ids: [before, after] })
  return { environment_ids: after }
}

/**
 * Refuses environments that the caller cannot use, and versions that cannot be promoted there. {@throws Failure}
 * not_found, bad_parameter
 */
export async function requirePromotable(
  tx: Context,
  registry: Registry,
  view: Stored,
  { version, environments, force }: Promotion,
): Promise<void> {
  if (view.default) throw refusal('Default content view versions cannot be promoted')
  await requireEnvironments(tx, registry, view, environments)
  if (force) return
  const targets = await rows<{ id: number; prior_id: number | null; library: boolean }>(
    tx.db,
    sql`select id, prior_id, library from lifecycle_environments where id = any (${environments}::bigint[])`,
  )
  const library = await rows<{ id: number }>(
    tx.db,
    sql`select id from lifecycle_environments where organization_id = ${view.organization_id} and library`,
  )
  const current = version === null ? library.map(({ id }) => id) : await placesOf(tx, version)
  const reachable = new Set<number | null>([...current, ...environments])
  const inOrder = targets.every(
    ({ id, prior_id, library: first }) =>
      current.includes(id) || (first ? current.length === 0 : reachable.has(prior_id)),
  )
  if (!inOrder) throw refusal('Cannot promote environment out of sequence. Use force to bypass restriction.')
}

/**
 * Requires environments of the organization that the caller may promote to and remove from. {@throws Failure} not_found
 */
export async function requireEnvironments(
  tx: Context,
  registry: Registry,
  view: Stored,
  environments: readonly number[],
): Promise<void> {
  const resource = findResource(registry, 'lifecycle_environment')
  const allowed = await loadPermittedEnvironments(tx, registry, environments, TO_ENVIRONMENTS)
  const known = await rows<{ id: number }>(
    tx.db,
    sql`select id from lifecycle_environments where id = any (${environments}::bigint[]) and organization_id = ${view.organization_id}`,
  )
  const here = new Set(known.map(({ id }) => id))
  const missing = environments.filter((id) => !allowed.has(id) || !here.has(id))
  if (missing.length > 0) throw referenceNotFound(resource, missing.slice(0, 100).join(', '))
}

/** Finds the view of a version. {@throws Failure} not_found when it is gone */
async function findViewOf(tx: Context, version: number): Promise<number> {
  const found = await row<{ view: number }>(
    tx.db,
    sql`select content_view_id as view from content_view_versions where id = ${version}`,
  )
  if (!found) throw notFound('content_view_version', version)
  return found.view
}

async function placesOf(tx: Context, version: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select environment_id as id from content_view_environments where content_view_version_id = ${version} order by 1`,
  )
  return found.map(({ id }) => id)
}
