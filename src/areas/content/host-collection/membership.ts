import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import {
  type Action,
  type Resource,
  readAttributes,
  recordAudit,
  type Sent,
  type Stored,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import type { CollectionFields } from './fields.ts'
import { refuseBeyondLimit } from './limit.ts'
import { loadMemberCandidates, type MemberCandidate } from './members.ts'
import { formatForeign, formatNotFound, touchCollection } from './writes.ts'

/** The most hosts that one request may add or remove. */
const MOST = 100_000

const ALLOWED = 'must be a list of ids of hosts'

const BODY = z.object({
  host_ids: z.array(z.int()).max(MOST).meta({ description: 'Ids of hosts.' }),
})

const MESSAGES = z.object({
  displayMessages: z
    .object({
      success: z.array(z.string()).meta({ description: 'Messages of success.' }),
      error: z.array(z.string()).meta({ description: 'Messages of failure, one for each host, with the reason.' }),
    })
    .meta({ description: 'The outcome, for people.' }),
})

/**
 * `PUT /host_collections/:id/add_hosts` (content-api §8.1): adds the hosts that may be added, and answers which may
 * not.
 */
export const addHosts: Action<CollectionFields> = {
  method: 'PUT',
  path: '/:id/add_hosts',
  name: 'add_hosts',
  summary: 'Add hosts to a host collection',
  body: BODY,
  output: MESSAGES,
  record: { how: 'locked' },
  handle: (tx, resource, input, collection) => change(tx, resource, input, collection, add),
}

/** `PUT /host_collections/:id/remove_hosts` (content-api §8.1): removes hosts. */
export const removeHosts: Action<CollectionFields> = {
  method: 'PUT',
  path: '/:id/remove_hosts',
  name: 'remove_hosts',
  summary: 'Take hosts out of a host collection',
  body: BODY,
  output: MESSAGES,
  record: { how: 'locked' },
  handle: (tx, resource, input, collection) => change(tx, resource, input, collection, remove),
}

interface MembershipOutcome {
  readonly success: readonly string[]
  readonly error: readonly string[]
}

type Change = (
  tx: Context,
  resource: Resource,
  collection: Stored<CollectionFields>,
  hosts: readonly MemberCandidate[],
  members: ReadonlySet<number>,
) => Promise<MembershipOutcome>

async function change(
  tx: Context,
  resource: Resource,
  input: Input,
  collection: Stored<CollectionFields>,
  work: Change,
): Promise<Answer> {
  const ids = readHostIds(readAttributes(resource, input.body))
  const hosts = await loadMemberCandidates(tx, resource.registry, ids)
  const known = new Set(hosts.map(({ id }) => id))
  const members = new Set(collection.hosts)
  const { success, error } = await work(tx, resource, collection, hosts, members)
  const unknown = ids.filter((id) => !known.has(id)).map(formatNotFound)
  return { status: 200, body: { displayMessages: { success, error: [...error, ...unknown] } } }
}

/** Reads the list of ids of hosts. {@throws Failure} bad_parameter */
function readHostIds({ host_ids: sent }: Sent): number[] {
  if (!Array.isArray(sent)) throw badParameter('host_ids', sent, ALLOWED)
  if (sent.length > MOST) throw badParameter('host_ids', sent.length, `must be at most ${MOST} ids`)
  const ids = sent.map((id: unknown) => {
    const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
      throw badParameter('host_ids', id, ALLOWED)
    return number
  })
  return [...new Set(ids)]
}

const add: Change = async (tx, resource, collection, hosts, members) => {
  const already = hosts.filter(({ id }) => members.has(id))
  const others = hosts.filter(({ id }) => !members.has(id))
  const foreign = others.filter((host) => host.organization_id !== collection.organization_id)
  const fitting = others.filter((host) => host.organization_id === collection.organization_id)
  const added = fitting.filter(({ editable }) => editable).map(({ id }) => id)
  if (added.length > 0) {
    const { name, max_hosts } = collection
    refuseBeyondLimit([{ name, max_hosts, hosts: members.size + added.length }], collection.id)
    await rows(
      tx.db,
      sql`insert into host_collection_hosts (host_collection_id, host_id) select ${collection.id}::bigint, unnest(${added}::bigint[])`,
    )
    await record(tx, resource, collection, [], added)
  }
  return {
    success: added.length > 0 ? [`Successfully added ${added.length} Host(s).`] : [],
    error: [
      ...fitting.filter(({ editable }) => !editable).map(({ name }) => `You were not allowed to add ${name}`),
      ...already.map(({ id }) => `Host with ID ${id} already exists in the host collection.`),
      ...foreign.map(({ name }) => formatForeign(name)),
    ],
  }
}

const remove: Change = async (tx, resource, collection, hosts, members) => {
  const inside = hosts.filter(({ id }) => members.has(id))
  const removed = inside.filter(({ editable }) => editable).map(({ id }) => id)
  if (removed.length > 0) {
    await rows(
      tx.db,
      sql`delete from host_collection_hosts where host_collection_id = ${collection.id} and host_id = any (${removed}::bigint[])`,
    )
    await record(tx, resource, collection, removed, [])
  }
  return {
    success: removed.length > 0 ? [`Successfully removed ${removed.length} Host(s).`] : [],
    error: [
      ...inside.filter(({ editable }) => !editable).map(({ name }) => `You were not allowed to remove ${name}`),
      ...hosts
        .filter(({ id }) => !members.has(id))
        .map(({ id }) => `Host with ID ${id} does not exist in the host collection.`),
    ],
  }
}

/**
 * Records who was added and removed. Collections are large, so that audits do not list all members before and after.
 */
async function record(
  tx: Context,
  resource: Resource,
  { id, name }: Stored<CollectionFields>,
  removed: readonly number[],
  added: readonly number[],
): Promise<void> {
  await touchCollection(tx, id)
  await recordAudit(tx, resource, 'update', { id, label: name }, { host_ids: [removed, added] })
}
