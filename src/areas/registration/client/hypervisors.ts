import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Context, inTransaction } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { joinConditions, limitToVisible } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { isMembers, type Members } from '../../../lib/values.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import type { HostRecords } from '../hosts.ts'
import { type Guest, readGuests } from '../registration-request.ts'
import type { Consumer } from './consumer.ts'
import type { Call } from './endpoint.ts'
import { findConsumerByCertificate } from './identify.ts'

/** A hypervisor with its guests, as a reporter of virtual machines names it. */
interface Hypervisor {
  readonly names: readonly string[]
  readonly guests: readonly Guest[]
}

interface Result {
  readonly created: readonly unknown[]
  readonly updated: readonly unknown[]
  readonly unchanged: readonly unknown[]
  /** A sentence for each hypervisor that is not known. */
  readonly failedUpdate: readonly string[]
}

/**
 * `POST /rhsm/hypervisors` and `POST|PUT /rhsm/hypervisors/:key`: stores the guests of hypervisors that are registered
 * hosts: of those that the user may edit, or of the host itself that has the certificate. A report registers nobody.
 * {@throws Failure} malformed
 */
export async function storeHypervisors(
  ctx: Context,
  records: HostRecords,
  { input, certificate }: Call,
  owner: Consumer['owner'],
): Promise<Result> {
  const reported = readHypervisors(input.body)
  const own = certificate && (await findConsumerByCertificate(ctx, records, certificate)).host
  const editable =
    own === null ? joinConditions(limitToVisible(ctx, records.resource, 'edit_hosts')) : sql`t.id = ${own}`
  return inTransaction(ctx, async (tx) => {
    const known = await lockKnown(tx, owner, reported, editable)
    const matches = reported.map((hypervisor) => ({
      hypervisor,
      host: known.find(({ names }) => hypervisor.names.some((name) => names.includes(name.toLowerCase()))),
    }))
    const changed = new Map(
      matches.flatMap(({ hypervisor: { guests }, host }) =>
        host && !isDeepStrictEqual(host.guests, guests) ? [[host.id, guests] as const] : [],
      ),
    )
    await sql`
      update registrations r set guest_ids = w.guests, updated_at = now()
      from jsonb_to_recordset(${JSON.stringify([...changed].map(([host, guests]) => ({ host, guests })))}::jsonb) w (host bigint, guests jsonb)
      where r.host_id = w.host`.execute(tx.db)
    const listHosts = (isChanged: boolean) =>
      known
        .filter(({ id }) => changed.has(id) === isChanged && matches.some(({ host }) => host?.id === id))
        .map(({ uuid, name }) => ({ uuid, name }))
    const unknown = matches.flatMap(({ hypervisor, host }) => (host ? [] : [hypervisor.names[0] ?? '']))
    return {
      created: [],
      updated: listHosts(true),
      unchanged: listHosts(false),
      failedUpdate: unknown.map((name) => `${name}: no registered host of the organization has this name or UUID`),
    }
  })
}

/** Presents the result of a report as a job that is finished, as reporters that do not wait for it expect. */
export function presentJob(result: Result | null): Answer {
  const state = { state: 'FINISHED', targetType: 'owner', group: 'hypervisors', done: true }
  return { status: 200, body: { id: `hypervisor_update_${randomUUID()}`, ...state, resultData: result } }
}

const MOST_HYPERVISORS = 1000

/** Reads the two forms of reports: `{"<id>": [guests]}`, and a list of objects. {@throws Failure} malformed */
function readHypervisors(body: Members): readonly Hypervisor[] {
  const { hypervisors } = body
  const sent: readonly unknown[] =
    hypervisors === undefined
      ? Object.entries(body).map(([hypervisorId, guestIds]) => ({ hypervisorId, guestIds }))
      : Array.isArray(hypervisors)
        ? hypervisors
        : [null]
  if (sent.length > MOST_HYPERVISORS)
    throw new Failure('malformed', `hypervisors must be at most ${MOST_HYPERVISORS} in one report`)
  return sent.map(readHypervisor)
}

function readHypervisor(sent: unknown): Hypervisor {
  const { hypervisorId = null, name = null, uuid = null, guestIds = [] } = isMembers(sent) ? sent : {}
  const id = isMembers(hypervisorId) ? hypervisorId.hypervisorId : hypervisorId
  const names = [id, name, uuid].filter((one) => typeof one === 'string' && one !== '' && one.length <= 255)
  if (names.length === 0 || !isValidText(names))
    throw new Failure('malformed', 'hypervisors must each have a hypervisorId or a name of at most 255 characters')
  return { names: names.map(String), guests: readGuests(guestIds) }
}

interface Known {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly names: readonly string[]
  readonly guests: readonly Guest[]
}

/** Locks the registrations of the reported hypervisors, in order of their ids. */
async function lockKnown(
  tx: Context,
  owner: Consumer['owner'],
  reported: readonly Hypervisor[],
  editable: Sql,
): Promise<readonly Known[]> {
  const names = reported.flatMap((hypervisor) => hypervisor.names.map((name) => name.toLowerCase()))
  return rows<Known>(
    tx.db,
    sql`select t.id, r.uuid, t.name, r.guest_ids as guests,
        array_remove(array[t.name, r.uuid::text, r.system_uuid::text], null) as names
      from registrations r join hosts t on t.id = r.host_id
      where t.organization_id = ${owner.id} and ${editable}
        and (t.name = any (${names}::text[]) or r.uuid::text = any (${names}::text[]) or r.system_uuid::text = any (${names}::text[]))
      order by t.id for no key update of r`,
  )
}
