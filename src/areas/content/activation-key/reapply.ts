import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { isStorable } from '../../../database/storable.ts'
import { badParameter } from '../../../errors.ts'
import { hasPermission, limitToVisible } from '../../../kernel/authorize.ts'
import { type Condition, joinConditions } from '../../../kernel/condition.ts'
import type { Action, Input, Registry, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { toBoolean, toInteger } from '../../../kernel/fields/values.ts'
import { readAttributes } from '../../../kernel/input.ts'
import type { Sent, Stored } from '../../../kernel/record.ts'
import { referenceNotFound } from '../../../kernel/reference.ts'
import { findResource } from '../../../kernel/registry.ts'
import { compileRequestSearch } from '../../../kernel/searching.ts'
import { readChoice } from '../../../records/choice.ts'
import { APPLIED, type AppliedField } from '../../registration/index.ts'
import { answersTask, answerWithTask, planTask } from '../../tasks/index.ts'
import { DRIFTING, KEY_OF_HOSTS, type KeyOfHosts, loadKeyOfHosts } from './drift.ts'
import { limitToDrifting, loadDifferences, NOT_FIELDS, readAppliedFields } from './drift-differences.ts'
import { loadExpectations } from './drift-expected.ts'
import { withVisibleKeys } from './drift-keys.ts'

/** The kind of the tasks that reapply keys to hosts. */
export const REAPPLYING = 'activation_key.reapply'

/** The most hosts that a preview lists; it counts all. */
const SHOWN = 100

/** The most hosts that a request may name. */
const MOST = 100_000

/** The hosts of a key that are to be changed, and the fields. */
export interface ReapplyRequest {
  readonly search: string | null
  readonly host_ids: readonly number[] | null
  readonly fields: readonly AppliedField[]
}

const BODY = z.object({
  search: z.string().nullable().optional().meta({ description: 'Only hosts that this search of hosts finds.' }),
  all: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'True: every host of the key. Without it a search or ids are needed, but for a preview.' }),
  host_ids: z.array(z.int()).nullable().optional().meta({ description: 'Only these hosts.' }),
  fields: z.array(z.enum(APPLIED)).nullable().optional().meta({ description: 'Only these fields; all without.' }),
  preview: z.boolean().optional().meta({ description: 'True: nothing is changed, the answer says what would be.' }),
})

/**
 * `POST /activation_keys/:id/reapply`: a task that gives hosts of a key what all their keys would give them now. Only
 * hosts that the caller may edit are changed.
 */
export const reapply: Action = {
  method: 'POST',
  path: '/:id/reapply',
  name: 'reapply',
  summary: 'Give registered hosts what their activation keys give now',
  permissions: ['edit_hosts'],
  body: BODY,
  ...answersTask,
  previews: z.object({
    total: z.int().meta({ description: 'Hosts that would change.' }),
    fields: z.array(z.enum(APPLIED)).meta({ description: 'Fields to change where they differ.' }),
    results: z.array(DRIFTING).meta({ description: `The first ${SHOWN} of them, by name, with what would change.` }),
  }),
  record: { how: 'found', keys: KEY_OF_HOSTS, permission: 'view_activation_keys' },
  handle: reapplyKey,
}

async function reapplyKey(ctx: Context, resource: Resource, input: Input, found: Stored): Promise<Answer> {
  const key = loadKeyOfHosts(found)
  const { preview, ...wanted } = readWanted(readAttributes(resource, input.body))
  await requireHosts(ctx, resource.registry, key, wanted)
  await compileRequestSearch(ctx, findResource(resource.registry, 'host'), wanted.search) // the task could only fail
  if (preview) return { status: 200, body: await previewOf(ctx, resource, key, wanted) }
  const { id, name } = key
  return inTransaction(ctx, async (tx) => {
    const planned = await planTask(tx, {
      kind: REAPPLYING,
      action: 'Re-apply',
      input: { activation_key: { id, name }, ...wanted },
      organization: key.organization,
    })
    return answerWithTask(tx, resource.registry, planned)
  })
}

/** Reads the body. {@throws Failure} bad_parameter */
function readWanted(sent: Sent): ReapplyRequest & { readonly preview: boolean } {
  const { search = null, host_ids: hosts = null, fields: named = null } = sent
  if (search !== null && (typeof search !== 'string' || !isStorable(search)))
    throw badParameter('search', search, 'must be Unicode text without the NUL character')
  if (hosts !== null && (!Array.isArray(hosts) || hosts.length > MOST))
    throw badParameter('host_ids', hosts, `must be a list of at most ${MOST} ids`)
  const ids = hosts === null ? null : hosts.map(toInteger)
  if (ids && !ids.every((id): id is number => Number.isSafeInteger(id)))
    throw badParameter('host_ids', hosts, 'must be a list of ids')
  const fields = named === null || Array.isArray(named) ? readAppliedFields(named) : undefined
  if (!fields) throw badParameter('fields', named, NOT_FIELDS)
  const preview = toBoolean(sent.preview ?? false) ?? false
  if (typeof preview !== 'boolean') throw badParameter('preview', preview, 'must be true or false')
  const choice = preview ? search : readChoice({ search, named: ids !== null, all: sent.all })
  return { search: choice, host_ids: ids && [...new Set(ids)], fields, preview }
}

/**
 * Refuses hosts that are not registered with the key, or that the caller may not edit. {@throws Failure} not_found,
 * naming them
 */
async function requireHosts(ctx: Context, registry: Registry, key: KeyOfHosts, { host_ids: ids }: ReapplyRequest) {
  if (!ids) return
  const hosts = findResource(registry, 'host')
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToEditableHosts(ctx, hosts))}
      and exists (select from activation_key_hosts l where l.host_id = t.id and l.activation_key_id = ${key.id})`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(hosts, missing.slice(0, 100).join(', '))
}

/** Leaves hosts that the caller may both view and edit. */
export function limitToEditableHosts(ctx: Context, hosts: Resource): Condition[] {
  if (!hasPermission(ctx, 'view_hosts') || !hasPermission(ctx, 'edit_hosts')) return [{ sql: sql`false`, tables: [] }]
  return [...limitToVisible(ctx, hosts, 'view_hosts'), ...limitToVisible(ctx, hosts, 'edit_hosts')]
}

/** Loads the chosen hosts that differ from their keys, by name. {@throws Failure} bad_search */
export async function loadReapplyTargets(
  ctx: Context,
  registry: Registry,
  key: KeyOfHosts,
  { search, host_ids: ids, fields }: ReapplyRequest,
): Promise<number[]> {
  const hosts = findResource(registry, 'host')
  const conditions = [
    ...limitToEditableHosts(ctx, hosts),
    ...(await compileRequestSearch(ctx, hosts, search)),
    ...(ids ? [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }] : []),
    limitToDrifting(key.id, await loadExpectations(ctx, key), fields),
  ]
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where ${joinConditions(conditions)} order by t.name, t.id`,
  )
  return found.map(({ id }) => id)
}

async function previewOf(ctx: Context, keys: Resource, key: KeyOfHosts, wanted: ReapplyRequest) {
  const ids = await loadReapplyTargets(ctx, keys.registry, key, wanted)
  const shown = ids.slice(0, SHOWN)
  const { fields } = wanted
  const found = await loadDifferences(ctx, key.id, await loadExpectations(ctx, key, shown), fields, shown)
  const seen = await withVisibleKeys(ctx, keys, found)
  const byId = new Map(seen.map((one) => [one.id, one]))
  const results = shown.flatMap((id) => {
    const one = byId.get(id)
    return one ? [{ id, name: one.name, differences: one.differences }] : []
  })
  return { total: ids.length, fields, results }
}
