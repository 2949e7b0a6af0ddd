import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { isStorable } from '../../database/storable.ts'
import { badParameter } from '../../errors.ts'
import { holds, visible } from '../../kernel/authorize.ts'
import { type Condition, where } from '../../kernel/condition.ts'
import { toBoolean, toInteger } from '../../kernel/fields/values.ts'
import { attributesOf } from '../../kernel/input.ts'
import { referenceNotFound } from '../../kernel/reference.ts'
import type { Action, Registry, Resource, Sent } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { searching } from '../../kernel/searching.ts'
import { APPLIED, type AppliedField } from '../../registration/apply.ts'
import { planTask } from '../../tasks/task.ts'
import { foundId } from '../content/found.ts'
import { resourceOf } from '../fact/records.ts'
import { answersTask, taskAnswer } from '../task/answer.ts'
import { DRIFTING, type KeyOfHosts, keyOf } from './drift.ts'
import { differencesOf, driftCondition, fieldsNamed, NOT_FIELDS } from './drift-differences.ts'
import { expectationsOf } from './drift-expected.ts'
import { withSeenKeys } from './drift-keys.ts'

/** The kind of the task. */
export const REAPPLYING = 'activation_key.reapply'

/** Hosts that a preview shows with their differences; it counts all of them. */
const SHOWN = 100

/** Hosts that one request may name. */
const MOST = 100_000

/** Which hosts of a key are meant, and what of them. */
export interface Wanted {
  readonly search: string | null
  readonly host_ids: readonly number[] | null
  readonly fields: readonly AppliedField[]
}

const BODY = z.object({
  search: z.string().nullable().optional().meta({ description: 'Only hosts that this search of hosts finds.' }),
  host_ids: z.array(z.int()).nullable().optional().meta({ description: 'Only these hosts.' }),
  fields: z.array(z.enum(APPLIED)).nullable().optional().meta({ description: 'Only these fields; all without.' }),
  preview: z.boolean().optional().meta({ description: 'True: nothing is changed, the answer says what would be.' }),
})

/**
 * `POST /activation_keys/:id/reapply`: gives hosts that are registered with a key what all of their keys would give them
 * now, by a task. Only hosts that the caller may edit are touched.
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
    fields: z.array(z.enum(APPLIED)).meta({ description: 'What would be changed of them, where it differs.' }),
    results: z.array(DRIFTING).meta({ description: `The first ${SHOWN} of them, by name, with what would change.` }),
  }),
  handle: reapplyKey,
}

async function reapplyKey(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { preview, ...wanted } = readWanted(attributesOf(resource, input.body))
  const key = await keyOf(ctx, await foundId(ctx, resource, input, 'view_activation_keys'))
  await requireHosts(ctx, resource.registry, key, wanted)
  searching(ctx, resourceOf(resource.registry, 'host'), wanted.search) // the task could only fail
  if (preview) return { status: 200, body: await previewOf(ctx, resource, key, wanted) }
  const { id, name } = key
  return inTransaction(ctx, async (tx) => {
    const planned = await planTask(tx, {
      kind: REAPPLYING,
      action: 'Re-apply',
      input: { activation_key: { id, name }, ...wanted },
      organization: key.organization,
    })
    return taskAnswer(tx, resource.registry, planned)
  })
}

/** {@throws Failure} bad_parameter */
function readWanted(sent: Sent): Wanted & { readonly preview: boolean } {
  const { search = null, host_ids: hosts = null, fields: named = null } = sent
  if (search !== null && (typeof search !== 'string' || !isStorable(search)))
    throw badParameter('search', search, 'must be Unicode text without the NUL character')
  if (hosts !== null && (!Array.isArray(hosts) || hosts.length > MOST))
    throw badParameter('host_ids', hosts, `must be a list of at most ${MOST} ids`)
  const ids = hosts === null ? null : hosts.map(toInteger)
  if (ids && !ids.every((id): id is number => Number.isSafeInteger(id)))
    throw badParameter('host_ids', hosts, 'must be a list of ids')
  const fields = named === null || Array.isArray(named) ? fieldsNamed(named) : undefined
  if (!fields) throw badParameter('fields', named, NOT_FIELDS)
  const preview = toBoolean(sent.preview ?? false) ?? false
  if (typeof preview !== 'boolean') throw badParameter('preview', preview, 'must be true or false')
  return { search, host_ids: ids && [...new Set(ids)], fields, preview }
}

/** {@throws Failure} not_found naming hosts that are not registered with the key, or that the caller may not edit */
async function requireHosts(ctx: Context, registry: Registry, key: KeyOfHosts, { host_ids: ids }: Wanted) {
  if (!ids) return
  const hosts = resourceOf(registry, 'host')
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where t.id = any (${ids}::bigint[]) and ${where(mayTouch(ctx, hosts))}
      and exists (select from activation_key_hosts l where l.host_id = t.id and l.activation_key_id = ${key.id})`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw referenceNotFound(hosts, missing.slice(0, 100).join(', '))
}

/** Hosts that the caller may both see and edit. */
export function mayTouch(ctx: Context, hosts: Resource): Condition[] {
  if (!holds(ctx, 'view_hosts') || !holds(ctx, 'edit_hosts')) return [{ sql: sql`false`, tables: [] }]
  return [...visible(ctx, hosts, 'view_hosts'), ...visible(ctx, hosts, 'edit_hosts')]
}

/** The hosts that differ from their keys and are meant, by name. {@throws Failure} bad_search */
export async function targets(
  ctx: Context,
  registry: Registry,
  key: KeyOfHosts,
  { search, host_ids: ids, fields }: Wanted,
): Promise<number[]> {
  const hosts = resourceOf(registry, 'host')
  const conditions = [
    ...mayTouch(ctx, hosts),
    ...searching(ctx, hosts, search),
    ...(ids ? [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }] : []),
    driftCondition(key.id, await expectationsOf(ctx, key), fields),
  ]
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select t.id from hosts t where ${where(conditions)} order by t.name, t.id`,
  )
  return found.map(({ id }) => id)
}

async function previewOf(ctx: Context, keys: Resource, key: KeyOfHosts, wanted: Wanted) {
  const ids = await targets(ctx, keys.registry, key, wanted)
  const shown = ids.slice(0, SHOWN)
  const { fields } = wanted
  const found = await differencesOf(ctx, key.id, await expectationsOf(ctx, key, shown), fields, shown)
  const seen = await withSeenKeys(ctx, keys, found)
  const byId = new Map(seen.map((one) => [one.id, one]))
  const results = shown.flatMap((id) => {
    const one = byId.get(id)
    return one ? [{ id, name: one.name, differences: one.differences }] : []
  })
  return { total: ids.length, fields, results }
}
