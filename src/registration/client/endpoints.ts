import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { SUBSCRIPTION_VERSION_HEADER } from '../../dialect/words.ts'
import { Failure } from '../../errors.ts'
import type { Answer } from '../../kernel/route.ts'
import type { Gate } from '../gate.ts'
import type { HostRecords } from '../hosts.ts'
import { ownerWithLabel } from '../keys.ts'
import { overridesOf } from '../overrides.ts'
import { changeConsumer, changeOverrides, leave, noted, renewIdentity } from './changing.ts'
import { type Consumer, consumerBody, ownerBody } from './consumer.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { enrol } from './enrol.ts'
import { consumerWith, DENIED, withConsumer } from './identify.ts'
import {
  accessibleContent,
  complianceBody,
  entitlementsOf,
  environmentsOf,
  poolsOf,
  purposeBody,
  releasesFor,
} from './reading.ts'

const CONSUMER = '/rhsm/consumers/:uuid'
const OWNER = '/rhsm/owners/:key'

/** Everything that subscription clients ask (content-api §5.4). */
export function clientEndpoints(records: HostRecords, version: string, gate: Gate): readonly Endpoint[] {
  const hosts = records.resource
  const read = (path: string, answer: (consumer: Consumer, ctx: Context, call: Call) => unknown): Endpoint => ({
    ...{ method: 'GET', path: `${CONSUMER}${path}`, permission: 'view_hosts', byCertificate: true },
    handle: (ctx, call) =>
      withConsumer(ctx, hosts, call, 'view_hosts', async (consumer) => ok(await answer(consumer, ctx, call))),
  })
  const write = (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    work: (consumer: Consumer, ctx: Context, call: Call) => Promise<Answer>,
    permission = 'edit_hosts',
  ): Endpoint => ({
    ...{ method, path, permission, byCertificate: true },
    handle: (ctx, call) => withConsumer(ctx, hosts, call, permission, (consumer) => work(consumer, ctx, call)),
  })
  const owner = (path: string, answer: (ctx: Context, owner: Consumer['owner']) => unknown): Endpoint => ({
    ...{ method: 'GET', path: `${OWNER}${path}`, permission: 'create_hosts', byCertificate: true },
    handle: async (ctx, call) => {
      const found = await ownerFor(ctx, call)
      return found ? ok(await answer(ctx, found)) : DENIED
    },
  })
  const anybody = (path: string, body: () => unknown): Endpoint => ({
    ...{ method: 'GET', path, permission: null },
    handle: async () => ok(body()),
  })
  const overrides = `${CONSUMER}/content_overrides`
  const endpoints: readonly Endpoint[] = [
    anybody('/rhsm', () => resourceList()),
    anybody('/rhsm/', () => resourceList()),
    anybody('/rhsm/status', () => statusBody(version)),
    {
      ...{ method: 'POST', path: '/rhsm/consumers', permission: 'create_hosts' },
      opens: (query) => query.activation_keys !== undefined,
      handle: (ctx, call) => gate(() => enrol(ctx, records, call)),
    },
    read('', (consumer) => consumerBody(consumer)),
    write('PUT', CONSUMER, (consumer, ctx, call) => changeConsumer(ctx, records, call, consumer)),
    write('POST', CONSUMER, (consumer, ctx, call) => renewIdentity(ctx, records, call, consumer)),
    write('DELETE', CONSUMER, (consumer, ctx) => leave(ctx, records, consumer), 'destroy_hosts'),
    read('/certificates/serials', () => []),
    read('/certificates', () => []),
    {
      ...{ method: 'GET', path: `${CONSUMER}/accessible_content`, permission: 'view_hosts', byCertificate: true },
      handle: (ctx, call) =>
        withConsumer(ctx, hosts, call, 'view_hosts', async (consumer) =>
          accessibleContent(consumer, call.input.headers?.['if-modified-since']),
        ),
    },
    read('/content_overrides', (consumer, ctx) => overridesOf(ctx, consumer.host)),
    write('PUT', overrides, (consumer, ctx, call) => changeOverrides(ctx, records, call, consumer, 'PUT')),
    write('DELETE', overrides, (consumer, ctx, call) => changeOverrides(ctx, records, call, consumer, 'DELETE')),
    read('/release', ({ release_version }) => ({ releaseVer: release_version })),
    read('/available_releases', (consumer, ctx) => releasesFor(ctx, consumer)),
    read('/owner', (consumer) => ownerBody(consumer.owner)),
    read('/compliance', (consumer, ctx) => complianceBody(consumer, ctx.now())),
    read('/purpose_compliance', (consumer, ctx) => purposeBody(consumer, ctx.now())),
    read('/entitlements', (consumer, ctx) => entitlementsOf(ctx, consumer)),
    ...['profiles', 'packages'].map((report) =>
      write('PUT', `${CONSUMER}/${report}`, (consumer, ctx) => noted(ctx, consumer)),
    ),
    write('PUT', '/rhsm/systems/:uuid/enabled_repos', (consumer, ctx) => noted(ctx, consumer)),
    owner('', (_ctx, found) => ownerBody(found)),
    owner('/environments', (ctx, { id }) => environmentsOf(ctx, hosts, id)),
    owner('/pools', (ctx, { id }) => poolsOf(ctx, hosts, id)),
    owner('/servicelevels', async (ctx, { label }) => (await ownerWithLabel(ctx.db, label)).service_levels),
    owner('/system_purpose', async (ctx, found) => ({
      owner: ownerBody(found),
      systemPurposeAttributes: await purposesOf(ctx, found),
    })),
    {
      ...{ method: 'GET', path: '/rhsm/users/:login/owners', permission: 'create_hosts' },
      handle: async (ctx, call) => (call.input.params.login === ctx.user.login ? ok(await ownersOf(ctx)) : DENIED),
    },
  ]
  return endpoints.map((endpoint) => withVersion(endpoint, version))
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

function ok(body: unknown): Answer {
  return { status: 200, body }
}

const RESOURCES = ['consumers', 'content_overrides', 'environments', 'owners', 'release', 'status', 'users'] as const

function resourceList(): unknown {
  return RESOURCES.map((rel) => ({ rel, href: `/${rel}` }))
}

function statusBody(version: string): unknown {
  return {
    result: true,
    version,
    release: '1',
    standalone: true,
    timeUTC: new Date().toISOString(),
    mode: 'NORMAL',
    modeReason: null,
    modeChangeTime: null,
    rulesSource: 'default',
    rulesVersion: '5.44',
    managerCapabilities: ['instance_multiplier', 'org_level_content_access', 'syspurpose', 'combined_reporting'],
  }
}

/** The organization in the path: that of the host which asks (else null), or one of the user's. {@throws Failure} not_found */
async function ownerFor(ctx: Context, { input, certificate }: Call): Promise<Consumer['owner'] | null> {
  const { key = '' } = input.params
  if (certificate) {
    const { owner } = await consumerWith(ctx, certificate)
    return owner.label === key ? owner : null
  }
  const owner = await ownerWithLabel(ctx.db, key)
  if (!ctx.user.admin && !ctx.user.organizations.includes(owner.id))
    throw new Failure('not_found', `Couldn't find Organization '${key}'.`)
  return owner
}

/** Those of the user who asks. */
async function ownersOf(ctx: Context): Promise<unknown[]> {
  const found = await rows<Consumer['owner']>(
    ctx.db,
    sql`select id, name, label, content_access_mode, service_level from organizations
      where ${ctx.user.admin} or id = any (${ctx.user.organizations}::bigint[]) order by name`,
  )
  return found.map(ownerBody)
}

/** What pools of the organization are for: what hosts may say of themselves. */
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
