import type { Context } from '../../../context.ts'
import { inSavepoint } from '../../../database/savepoints.ts'
import { row } from '../../../database/sql.ts'
import { Failure, formatFullMessages } from '../../../errors.ts'
import {
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  type Stored,
} from '../../../kernel/index.ts'
import { idOf } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import { type AppliedField, applyRegistration, type Needs } from '../../registration/index.ts'
import type { TaskHandler, TaskOutcome, TaskValues } from '../../tasks/index.ts'
import { recordHostChange } from '../host-content/content-host.ts'
import { type KeyColumns, type KeyOfHosts, loadKeyOfHosts } from './drift.ts'
import { type DriftingHost, loadDifferences, loadFieldValues } from './drift-differences.ts'
import { type Expectations, formatKeyList, loadExpectations } from './drift-expected.ts'
import { idsOf, loadNeeds, lockHosts, lockPlaces } from './reapply-locks.ts'
import type { ReapplyRequest } from './reapply-request.ts'
import { loadReapplyTargets } from './reapply-targets.ts'

/** The number of hosts that are changed in one transaction. */
const CHUNK = 50

/** The most failures that the output of a task lists. */
const NAMED = 1000

/** A host that could not get everything that its keys grant. */
interface Failed {
  readonly host: { readonly id: number; readonly name: string }
  readonly message: string
}

interface Done {
  readonly changed: number
  readonly failed: readonly Failed[]
}

/**
 * Creates the handler of `reapply`: it changes hosts in chunks, each in a transaction with its audits. Hosts that
 * already have everything are not touched, so that repetition is harmless; a host that cannot get everything stays as
 * it is.
 */
export function createReapplyHandler(registry: Registry): TaskHandler {
  return async (_ctx, { input, step }) => {
    const wanted = wantedOf(input)
    const id = idOf(input.activation_key)
    const ids = await step(0, async (tx) =>
      loadReapplyTargets(tx, registry, await findSeenKey(tx, registry, id), wanted),
    )
    const done: Done[] = []
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK)
      const progress = Math.min(1, (from + chunk.length) / ids.length)
      done.push(
        await step(progress, async (tx) =>
          applyChunk(tx, registry, await findSeenKey(tx, registry, id), wanted, chunk),
        ),
      )
    }
    return outcomeOf(ids.length, done)
  }
}

function wantedOf({ search, host_ids, fields }: TaskValues): ReapplyRequest {
  // as the action planned it
  return { search, host_ids, fields } as ReapplyRequest
}

function outcomeOf(hosts: number, done: readonly Done[]): TaskOutcome {
  const failed = done.flatMap((one) => one.failed)
  const changed = done.reduce((sum, one) => sum + one.changed, 0)
  const output = { hosts, changed, failures: failed.length, failed: failed.slice(0, NAMED) }
  if (failed.length === 0) return { output }
  const errors = failed.slice(0, NAMED).map(({ host, message }) => `${host.name}: ${message}`)
  return { result: 'warning', output, errors }
}

/** Loads the key. {@throws Failure} not_found when it is deleted or no longer visible to the requester */
async function findSeenKey(tx: Context, registry: Registry, id: number): Promise<KeyOfHosts> {
  const keys = findResource(registry, 'activation_key')
  const found = await row<Stored<KeyColumns>>(
    tx.db,
    sql`select t.id, t.name, t.organization_id from activation_keys t where t.id = ${id} and ${joinConditions(limitToVisible(tx, keys, 'view_activation_keys'))}`,
  )
  if (!found) throw new Failure('not_found', `Couldn't find activation key '${id}'`)
  return loadKeyOfHosts(found)
}

async function applyChunk(
  tx: Context,
  registry: Registry,
  key: KeyOfHosts,
  { fields }: ReapplyRequest,
  chunk: readonly number[],
): Promise<Done> {
  const hosts = findResource(registry, 'host')
  const locked = await lockHosts(tx, hosts, chunk)
  const expectations = await loadExpectations(tx, key, locked)
  const found = await loadDifferences(tx, key.id, expectations, fields, locked)
  const drifting = found.filter(({ differences }) => differences.length > 0)
  if (drifting.length === 0) return { changed: 0, failed: [] }
  await lockPlaces(tx, expectations, drifting)
  const needs = await loadNeeds(tx, drifting)
  const before = await loadFieldValues(tx, fields, idsOf(drifting))
  const refused: Failed[] = []
  for (const host of drifting) {
    const message = await applyDifferences(tx, host, expectations, needs.get(host.id))
    if (message !== null) refused.push({ host: { id: host.id, name: host.name }, message })
  }
  const after = await loadFieldValues(tx, fields, idsOf(drifting))
  const left = await loadDifferences(tx, key.id, expectations, fields, idsOf(drifting))
  const changed = await auditChanges(tx, hosts, drifting, before, after)
  const tried = new Set(refused.map(({ host }) => host.id))
  const partly = left.filter(({ id, differences }) => differences.length > 0 && !tried.has(id))
  return { changed, failed: [...refused, ...partly.map(describePartial)] }
}

function describePartial({ id, name, differences }: DriftingHost): Failed {
  const fields = differences.map(({ field }) => field).join(', ')
  return { host: { id, name }, message: `not everything of its activation keys can be had now: ${fields}` }
}

/** Gives a host everything in which it differs from its keys, or nothing of it; yields the reason of a refusal, or null. */
async function applyDifferences(
  tx: Context,
  { id, keys, differences }: DriftingHost,
  { owner, lists }: Expectations,
  needs: Needs = { products: [], autoheal: false },
): Promise<string | null> {
  const effective = lists.get(formatKeyList(keys))?.effective
  if (!effective) return null
  const fields: readonly AppliedField[] = differences.map(({ field }) => field)
  try {
    await inSavepoint(tx.db, () => applyRegistration(tx, id, { owner, effective, needs, fields }))
    return null
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable') throw error
    const { errors } = error.details
    return errors ? formatFullMessages(errors).join(', ') : error.message
  }
}

type Values = Awaited<ReturnType<typeof loadFieldValues>>

/** Audits the changes of each host; yields how many hosts were changed. */
async function auditChanges(
  tx: Context,
  hosts: Resource,
  drifting: readonly DriftingHost[],
  before: Values,
  after: Values,
): Promise<number> {
  let changed = 0
  for (const host of drifting) {
    const [old, now] = [before.get(host.id) ?? {}, after.get(host.id) ?? {}]
    const fields = Object.keys(now).filter((field) => JSON.stringify(now[field]) !== JSON.stringify(old[field]))
    if (fields.length === 0) continue
    changed += 1
    await recordHostChange(
      tx,
      hosts,
      host,
      Object.fromEntries(fields.map((field) => [field, [old[field], now[field]]] as const)),
    )
  }
  return changed
}
