import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Answer } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { SUBSCRIPTION_VERSION_HEADER } from '../../../words/protocols.ts'
import type { Gate } from '../gate.ts'
import type { HostRecords } from '../hosts.ts'
import { findOwnerByLabel } from '../keys.ts'
import { asMachineOf } from '../machine.ts'
import { loadOverrides } from '../overrides.ts'
import { type Consumer, presentConsumer, presentOwner } from './consumer.ts'
import { changeConsumer, changeOverrides, renewIdentity, unregisterConsumer } from './consumer-changes.ts'
import { bind, findEntitlement, release, releaseAll, releaseBySerial, suggestPools } from './consumer-entitlements.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { enrolHost } from './enrol.ts'
import { forgetGone, listGone } from './gone.ts'
import { presentJob, storeHypervisors } from './hypervisors.ts'
import { DENIED, findConsumerByCertificate, withConsumer } from './identify.ts'
import { loadVisibleEnvironments } from './pairs.ts'
import { loadEntitlements, loadPools } from './pools.ts'
import {
  answerAccessibleContent,
  buildStatus,
  listResources,
  loadReleases,
  presentCompliance,
  presentPurpose,
} from './reading.ts'
import {
  acceptDebianPackages,
  acceptReport,
  acceptTraces,
  checkIn,
  findGuest,
  removeGuest,
  setGuest,
  setGuests,
} from './reporting.ts'

const CONSUMER = '/rhsm/consumers/:uuid'
const OWNER = '/rhsm/owners/:key'

/** Lists all endpoints for subscription clients (content-api §5.4). */
export function listClientEndpoints(records: HostRecords, version: string, gate: Gate): readonly Endpoint[] {
  const hosts = records.resource
  const read = (path: string, answer: (consumer: Consumer, ctx: Context, call: Call) => unknown): Endpoint => ({
    method: 'GET',
    path: `${CONSUMER}${path}`,
    permission: 'view_hosts',
    byCertificate: true,
    handle: (asking, call) =>
      withConsumer(asking, records, call, 'view_hosts', async (consumer, ctx) =>
        answerOk(await answer(consumer, ctx, call)),
      ),
  })
  const write = (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    work: (consumer: Consumer, ctx: Context, call: Call) => Promise<Answer>,
    permission = 'edit_hosts',
    renews = false,
  ): Endpoint => ({
    method,
    path,
    permission,
    byCertificate: true,
    handle: (asking, call) =>
      withConsumer(asking, records, call, permission, (consumer, ctx) => work(consumer, ctx, call), renews),
  })
  const buildOwnerEndpoint = (
    path: string,
    answer: (ctx: Context, owner: Consumer['owner'], call: Call) => unknown,
  ): Endpoint => ({
    method: 'GET',
    path: `${OWNER}${path}`,
    permission: 'create_hosts',
    byCertificate: true,
    handle: async (asking, call) => {
      const found = await findOwner(asking, records, call, call.input.params.key)
      return found ? answerOk(await answer(asMachineOf(asking, found), found, call)) : DENIED
    },
  })
  /** An endpoint about the host that `consumer` names, or the one that asks. */
  const readNamed = (path: string, answer: (consumer: Consumer, ctx: Context, call: Call) => unknown): Endpoint => ({
    method: 'GET',
    path,
    permission: 'view_hosts',
    byCertificate: true,
    handle: async (asking, call) => {
      const uuid =
        readSingle(call.input.query, 'consumer') ||
        (call.certificate && (await findConsumerByCertificate(asking, records, call.certificate)).uuid)
      const { id } = call.input.params
      if (!uuid && id !== undefined)
        throw new Failure('not_found', `Couldn't find entitlement '${id}' without consumer.`)
      if (!uuid) throw new Failure('malformed', 'consumer must be the UUID of a registered host')
      const named = { ...call, input: { ...call.input, params: { ...call.input.params, uuid } } }
      return withConsumer(asking, records, named, 'view_hosts', async (consumer, ctx) =>
        answerOk(await answer(consumer, ctx, call)),
      )
    },
  })
  const buildHypervisorEndpoint = (
    method: 'POST' | 'PUT',
    path: string,
    work: (ctx: Context, owner: Consumer['owner'], call: Call) => Promise<Answer>,
  ): Endpoint => ({
    method,
    path,
    permission: 'edit_hosts',
    byCertificate: true,
    isText: true,
    handle: async (asking, call) => {
      const owner = await findOwner(
        asking,
        records,
        call,
        call.input.params.key ?? readSingle(call.input.query, 'owner'),
      )
      return owner ? work(asking, owner, call) : DENIED
    },
  })
  const buildOpenEndpoint = (path: string, body: () => unknown): Endpoint => ({
    method: 'GET',
    path,
    permission: null,
    handle: async () => answerOk(body()),
  })
  const overrides = `${CONSUMER}/content_overrides`
  const entitlements = `${CONSUMER}/entitlements`
  const guests = `${CONSUMER}/guestids`
  const endpoints: readonly Endpoint[] = [
    buildOpenEndpoint('/rhsm', () => listResources(endpoints)),
    buildOpenEndpoint('/rhsm/status', () => buildStatus(version)),
    {
      method: 'POST',
      path: '/rhsm/consumers',
      permission: 'create_hosts',
      byCertificate: true,
      opens: (query) => query.activation_keys !== undefined,
      handle: (ctx, call) => gate(() => enrolHost(ctx, records, call)),
    },
    {
      method: 'POST',
      path: '/rhsm/environments/:environment/consumers',
      permission: 'create_hosts',
      handle: (ctx, call) => gate(() => enrolHost(ctx, records, call)),
    },
    read('', (consumer) => presentConsumer(consumer)),
    write('PUT', CONSUMER, (consumer, ctx, call) => changeConsumer(ctx, records, call, consumer)),
    write('POST', CONSUMER, (consumer, ctx, call) => renewIdentity(ctx, records, call, consumer), 'edit_hosts', true),
    write('DELETE', CONSUMER, (consumer, ctx) => unregisterConsumer(ctx, records, consumer), 'destroy_hosts'),
    read('/certificates/serials', () => []),
    read('/certificates', () => []),
    write('PUT', `${CONSUMER}/certificates`, async () => ({ status: 204 })),
    write('DELETE', `${CONSUMER}/certificates/:serial`, (_consumer, _ctx, call) => releaseBySerial(call)),
    {
      method: 'GET',
      path: `${CONSUMER}/accessible_content`,
      permission: 'view_hosts',
      byCertificate: true,
      handle: (ctx, call) =>
        withConsumer(ctx, records, call, 'view_hosts', async (consumer) =>
          answerAccessibleContent(consumer, call.input.headers?.['if-modified-since']),
        ),
    },
    read('/content_overrides', (consumer, ctx) => loadOverrides(ctx, consumer.host)),
    write('PUT', overrides, (consumer, ctx, call) => changeOverrides(ctx, records, call, consumer, 'PUT')),
    write('DELETE', overrides, (consumer, ctx, call) => changeOverrides(ctx, records, call, consumer, 'DELETE')),
    read('/release', ({ release_version }) => ({ releaseVer: release_version })),
    read('/available_releases', (consumer, ctx) => loadReleases(ctx, consumer)),
    read('/owner', (consumer) => presentOwner(consumer.owner)),
    read('/compliance', (consumer, ctx) => presentCompliance(consumer, ctx.now())),
    read('/purpose_compliance', (consumer, ctx) => presentPurpose(consumer, ctx.now())),
    read('/entitlements', (consumer, ctx) => loadEntitlements(ctx, consumer)),
    read('/entitlements/dry-run', (consumer, ctx, call) => suggestPools(ctx, consumer, call)),
    readNamed('/rhsm/entitlements/:id', (consumer, ctx, call) => findEntitlement(ctx, consumer, call)),
    readNamed('/rhsm/pools', ({ owner }, ctx, { input }) => loadPools(ctx, hosts, owner, input.query)),
    {
      method: 'POST',
      path: '/rhsm/subscriptions',
      permission: 'edit_hosts',
      byCertificate: true,
      handle: async () => {
        throw new Failure('malformed', 'Subscriptions are not redeemed here: attach a pool of the organization')
      },
    },
    { method: 'GET', path: '/rhsm/deleted_consumers', permission: 'view_hosts', handle: listGone },
    { method: 'DELETE', path: `${CONSUMER}/deletionrecord`, permission: 'destroy_hosts', handle: forgetGone },
    buildHypervisorEndpoint('POST', '/rhsm/hypervisors', async (ctx, owner, call) =>
      answerOk(await storeHypervisors(ctx, records, call, owner)),
    ),
    ...(['POST', 'PUT'] as const).map((method) =>
      buildHypervisorEndpoint(method, '/rhsm/hypervisors/:key', async (ctx, owner, call) =>
        presentJob(await storeHypervisors(ctx, records, call, owner)),
      ),
    ),
    buildHypervisorEndpoint('PUT', '/rhsm/hypervisors/:key/heartbeat', async () => presentJob(null)),
    write('POST', entitlements, (consumer, ctx, call) => bind(ctx, records, consumer, call)),
    write('DELETE', entitlements, (consumer, ctx) => releaseAll(ctx, records, consumer)),
    ...[`${entitlements}/:pool`, `${entitlements}/pool/:pool`].map((path) =>
      write('DELETE', path, (consumer, ctx, call) => release(ctx, records, consumer, call)),
    ),
    read('/guestids', ({ guest_ids }) => guest_ids),
    read('/guestids/:guest', (consumer, _ctx, call) => findGuest(consumer, call)),
    write('PUT', guests, (consumer, ctx, call) => setGuests(ctx, consumer, call)),
    write('PUT', `${guests}/:guest`, (consumer, ctx, call) => setGuest(ctx, consumer, call)),
    write('DELETE', `${guests}/:guest`, (consumer, ctx, call) => removeGuest(ctx, consumer, call)),
    ...['profiles', 'profile', 'packages'].map((report) =>
      write('PUT', `${CONSUMER}/${report}`, (consumer, ctx) => acceptReport(ctx, consumer)),
    ),
    write('PUT', `${CONSUMER}/checkin`, (consumer, ctx) => checkIn(ctx, consumer)),
    write('PUT', `${CONSUMER}/tracer`, (consumer, ctx, call) => acceptTraces(ctx, consumer, call)),
    write('PUT', '/rhsm/systems/:uuid/enabled_repos', (consumer, ctx) => acceptReport(ctx, consumer)),
    write('PUT', '/rhsm/systems/:uuid/deb_package_profile', (consumer, ctx, call) =>
      acceptDebianPackages(ctx, consumer, call),
    ),
    buildOwnerEndpoint('', (_ctx, found) => presentOwner(found)),
    buildOwnerEndpoint('/environments', (ctx, { id }, { input }) =>
      loadVisibleEnvironments(ctx, hosts, id, readSingle(input.query, 'name')),
    ),
    buildOwnerEndpoint('/pools', (ctx, found, { input }) => loadPools(ctx, hosts, found, input.query)),
    buildOwnerEndpoint(
      '/servicelevels',
      async (ctx, { label }) => (await findOwnerByLabel(ctx.db, label)).service_levels,
    ),
    buildOwnerEndpoint('/system_purpose', async (ctx, found) => ({
      owner: presentOwner(found),
      systemPurposeAttributes: await purposesOf(ctx, found),
    })),
    {
      method: 'GET',
      path: '/rhsm/users/:login/owners',
      permission: 'create_hosts',
      handle: async (ctx, call) =>
        call.input.params.login === ctx.user.login ? answerOk(await ownersOf(ctx)) : DENIED,
    },
  ]
  return endpoints.flatMap(withAndWithoutSlash).map((endpoint) => withVersion(endpoint, version))
}

/** The endpoint at `/status` and at `/status/`: clients use both. */
function withAndWithoutSlash(endpoint: Endpoint): readonly Endpoint[] {
  return [endpoint, { ...endpoint, path: `${endpoint.path}/` }]
}

function withVersion(endpoint: Endpoint, version: string): Endpoint {
  return {
    ...endpoint,
    handle: async (ctx, call) => {
      const answer = await endpoint.handle(ctx, call)
      return { ...answer, headers: { ...answer.headers, [SUBSCRIPTION_VERSION_HEADER]: version } }
    },
  }
}

function answerOk(body: unknown): Answer {
  return { status: 200, body }
}

/**
 * Finds the organization with this label: that of the asking host, or one of the user's; null when a host asks about
 * another. {@throws Failure} malformed without a label, not_found
 */
async function findOwner(
  ctx: Context,
  records: HostRecords,
  { certificate }: Call,
  key: string | null | undefined,
): Promise<Consumer['owner'] | null> {
  if (!key) throw new Failure('malformed', 'owner must be the label of an organization')
  if (certificate) {
    const { owner } = await findConsumerByCertificate(ctx, records, certificate)
    return owner.label === key ? owner : null
  }
  const owner = await findOwnerByLabel(ctx.db, key)
  if (!ctx.user.admin && !ctx.user.organizations.includes(owner.id))
    throw new Failure('not_found', `Couldn't find Organization '${key}'.`)
  return owner
}

/** Lists the organizations of the user. */
async function ownersOf(ctx: Context): Promise<unknown[]> {
  const found = await rows<Consumer['owner']>(
    ctx.db,
    sql`select id, name, label, content_access_mode, service_level from organizations
      where ${ctx.user.admin} or id = any (${ctx.user.organizations}::bigint[]) order by name`,
  )
  return found.map(presentOwner)
}

/** Loads the values for system purpose that pools of the organization have. */
async function purposesOf(ctx: Context, { id }: Consumer['owner']): Promise<unknown> {
  const [found] = await rows<Record<string, string[]>>(
    ctx.db,
    sql`
      select array(select distinct support_level from subscriptions where organization_id = ${id} and support_level <> '' order by 1) as support_level,
        array(select distinct btrim(x) from subscriptions, unnest(string_to_array(usage, ',')) x where organization_id = ${id} and btrim(x) <> '' order by 1) as usage,
        array(select distinct btrim(x) from subscriptions, unnest(string_to_array(roles, ',')) x where organization_id = ${id} and btrim(x) <> '' order by 1) as roles,
        array(select distinct btrim(x) from subscriptions, unnest(string_to_array(addons, ',')) x where organization_id = ${id} and btrim(x) <> '' order by 1) as addons,
        array(select distinct support_type from subscriptions where organization_id = ${id} and support_type <> '' order by 1) as support_type`,
  )
  return found
}
