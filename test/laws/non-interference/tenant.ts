import { assembleResources } from '../../../src/areas/index.ts'
import { row } from '../../../src/database/sql.ts'
import type { BoundField, Resource } from '../../../src/kernel/definition.ts'
import { singularOf } from '../../../src/kernel/resources.ts'
import { TAXONOMIES } from '../../../src/kernel/scope.ts'
import { sql } from '../../../src/sql.ts'
import { expectCreated, type Reply, type TestApi } from '../../support/api.ts'
import { importedParameter } from '../../support/classification.ts'
import { type Body, leastBody, pathBelow, wrapped } from '../../support/given.ts'
import { fillContent } from '../content-world.ts'
import { publicKey, textFacts } from '../values.ts'

/** The word in every text of the first tenant, and its replacement in the texts of the second. */
export const MINE = 'mine'
export const BEYOND = 'them'
const SHARED = 'shared'

/** Creates records that belong to no tenant: one of each kind that has no organizations, or may have several. */
export async function fillShared(api: TestApi): Promise<Map<string, number>> {
  const shared = new Map<string, number>()
  for (const resource of ordered().filter(isShared))
    shared.set(resource.name, await made(api, resource, SHARED, (target) => [shared.get(target)]))
  const configclass = { id: shared.get('configclass') ?? 0 }
  const parameter = await importedParameter(api, {
    configclass,
    parameter: 'sharedparameter',
    columns: { override: true },
  })
  return shared.set('smart_class_parameter', parameter.id)
}

/** Creates an organization and a location with one record of each kind, which refer to each other and to the shared ones. */
export async function fillMine(api: TestApi, shared: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const mine = new Map<string, number>()
  const known = (target: string) => [mine.get(target), shared.get(target)]
  for (const { kind } of TAXONOMIES) {
    mine.set(kind, await made(api, registry.get(kind), MINE, known))
    await made(api, registry.get(kind), `${MINE}below`, (target) =>
      target === kind ? [mine.get(kind)] : known(target),
    )
  }
  const organization_id = mine.get('organization') ?? 0
  await fillContent(api, organization_id)
  await foundByName(api, mine, organization_id)
  for (const resource of ordered().filter((one) => isOfTenant(one) && !mine.has(one.name)))
    mine.set(resource.name, await made(api, resource, MINE, known))
  for (const resource of ordered().filter(({ nestedOnly }) => nestedOnly)) await fillBelow(api, resource, mine, shared)
  await fillByHand(api, mine, shared)
  return mine
}

const registry = assembleResources()

/** Orders resources so that those which refer to others come after them, and taxonomies last, because they take members. */
function ordered(): Resource[] {
  const creatable = [...registry.values()].filter(
    ({ name, operations }) => operations.includes('create') && !NOT_MADE.has(name),
  )
  const done = new Set<string>()
  const result: Resource[] = []
  const visit = (resource: Resource, path: readonly string[]) => {
    if (done.has(resource.name) || path.includes(resource.name)) return
    for (const { field, at } of resource.placed.filter(({ field, at }) => Object.keys(field.writable(at)).length > 0))
      if (field.refersTo) {
        const other = at.target(field.refersTo.resource)
        if (creatable.includes(other)) visit(other, [...path, resource.name])
      }
    done.add(resource.name)
    result.push(resource)
  }
  for (const resource of creatable) visit(resource, [])
  return result.filter(({ name }) => name !== 'organization' && name !== 'location')
}

/** Resources that are created by SQL or on a special path, see below. */
const NOT_MADE = new Set(['external_usergroup', 'content_view_component', 'subscription', 'activation_key'])

function isShared({ taxable, nestedOnly, partOf, name }: Resource): boolean {
  return (
    !nestedOnly &&
    !partOf &&
    (taxable === false || taxable === true) &&
    !['image', 'compute_attribute', 'user'].includes(name)
  )
}

/** Tells whether records of a resource belong to one tenant; all others without organizations are shared. */
function isOfTenant(resource: Resource): boolean {
  return !resource.nestedOnly && (resource.taxable !== false || !isShared(resource))
}

/** Creates a record with every link that it accepts: refused links are left out. */
async function made(
  { admin }: TestApi,
  resource: Resource | undefined,
  stage: string,
  known: (target: string) => readonly (number | undefined)[],
  path = resource?.path ?? '',
): Promise<number> {
  if (!resource) throw new Error('there is no such resource')
  const full: Record<string, unknown> = {}
  for (const placed of resource.placed) Object.assign(full, sentFor(resource, placed, stage, known))
  const least = await leastBody(admin, resource.name, full)
  let body: Body = { ...least, ...full, ...PARTICULAR[resource.name]?.(stage) }
  for (let attempt = 0; attempt < 30; attempt++) {
    const reply = await admin.post(path, wrapped(resource, body))
    if (reply.status === 201) return reply.body.id
    const left = without(body, refusedKeys(reply))
    if (!left) throw new Error(`${resource.name} with ${JSON.stringify(body)} is refused: ${reply.text}`)
    body = left
  }
  throw new Error(`${resource.name} is refused`)
}

function refusedKeys({ body }: Reply): string[] {
  return Object.keys(body.error?.errors ?? body.errors ?? {})
}

function without(body: Body, refused: readonly string[]): Body | null {
  const names = new Set(refused.flatMap((key) => [key, `${key}_id`, `${singularOf(key)}_ids`, key.replace(/_id$/, '')]))
  const left = Object.fromEntries(Object.entries(body).filter(([key]) => !names.has(key)))
  return Object.keys(left).length < Object.keys(body).length ? left : null
}

function sentFor(
  resource: Resource,
  placed: BoundField,
  stage: string,
  known: (target: string) => readonly (number | undefined)[],
): Body {
  const { name, field, at } = placed
  const keys = Object.keys(field.writable(at))
  const ids = known(field.refersTo?.resource ?? '').filter((id) => id !== undefined)
  if (field.kind === 'link' && keys.includes(`${name}_id`))
    return ids[0] === undefined ? {} : { [`${name}_id`]: ids[0] }
  if (field.kind === 'links' && keys.includes(`${singularOf(name)}_ids`))
    return ids.length === 0 ? {} : { [`${singularOf(name)}_ids`]: ids }
  const { oneOf, max = 255 } = field.kind === 'text' && keys.includes(name) ? textFacts(placed) : {}
  if (field.kind !== 'text' || !keys.includes(name) || oneOf) return {}
  return { [name]: `${stage}${resource.name}${name === resource.label ? '' : name}`.replaceAll('_', '').slice(0, max) }
}

/** Values that rules require and fields do not declare. */
const PARTICULAR: Readonly<Record<string, (stage: string) => Body>> = {
  operatingsystem: () => ({ major: '7', minor: '1', release_name: undefined }),
  smart_proxy: (stage) => ({ url: `http://127.0.0.1:1/${stage}`, runner: 'ssh' }),
  subnet: (stage) => ({
    network: stage === MINE ? '10.7.0.0' : '10.9.0.0',
    mask: '255.255.255.0',
    ...Object.fromEntries(
      ['gateway', 'from', 'to', 'dns_primary', 'dns_secondary', 'network_type'].map((key) => [key, undefined]),
    ),
  }),
  hostgroup: () => ({ subnet6_id: undefined, root_pass: undefined }),
  ssh_key: () => ({ key: publicKey(Buffer.alloc(32, 7)) }),
  table_preference: () => ({ columns: ['name'] }),
  content_credential: () => ({ content_type: 'cert' }),
  http_proxy: (stage) => ({ url: `http://${stage}proxy.example.test:3128` }),
  bookmark: (stage) => ({ controller: 'hosts', query: `name = ${stage}`, public: false }),
  medium: (stage) => ({ path: `https://example.test/${stage}medium` }),
  host: () => ({
    managed: false,
    build: false,
    ip: undefined,
    ip6: undefined,
    mac: undefined,
    compute_attributes: undefined,
  }),
  user: (stage) => ({
    mail: `${stage}@example.test`,
    password: 'long enough',
    auth_source_id: 1,
    timezone: undefined,
    locale: undefined,
    role_ids: [],
  }),
  filter: () => ({ search: undefined, override: true }),
  auth_source_ldap: () => ({ host: 'ldap.example.test', port: 389, ldap_filter: undefined, ca_certificate: undefined }),
  auth_source_oidc: () => ({
    issuer: 'https://login.example.test',
    algorithms: undefined,
    scopes: undefined,
    ca_certificate: undefined,
  }),
  repository: () => ({ content_type: 'yum', url: 'https://example.test/mine', arch: 'noarch' }),
}

/** Finds records that are created together with an organization, and those that tasks have created. */
async function foundByName({ database }: TestApi, mine: Map<string, number>, organization: number): Promise<void> {
  const first = async (name: string, statement: ReturnType<typeof sql>) => {
    const found = await row<{ id: number }>(database.db, statement)
    if (found) mine.set(name, found.id)
  }
  await first(
    'content_view_version',
    sql`select max(v.id) as id from content_view_versions v join content_views c on c.id = v.content_view_id where c.organization_id = ${organization} and not c."default"`,
  )
  await first('task', sql`select max(id) as id from tasks where organization_id = ${organization}`)
}

/** Creates records that exist below others: one below each kind of parent. */
async function fillBelow(
  api: TestApi,
  resource: Resource,
  mine: Map<string, number>,
  shared: ReadonlyMap<string, number>,
): Promise<void> {
  for (const parent of Object.keys(resource.parents)) {
    for (const [known, stage] of [
      [mine, MINE],
      [shared, MINE],
    ] as const) {
      const id = known.get(parent)
      const isOwn = known === mine
      // A record below a shared one would be visible to everybody, unless it names a record of the tenant.
      if (
        id === undefined ||
        (!isOwn && resource.name !== 'template_combination' && resource.name !== 'os_default_template')
      )
        continue
      const path = pathBelow(parent, id, resource)
      if (!api.routes.some(({ method, path: known }) => method === 'POST' && isAt(known, path))) continue
      const links = (target: string) => [mine.get(target), shared.get(target)]
      const record = await made(api, resource, stage, links, path).catch((error: Error) => {
        if (!error.message.includes('taken')) throw error
        return null
      })
      if (record !== null && !mine.has(resource.name)) mine.set(resource.name, record)
    }
  }
}

function isAt(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
}

/** Stores what no request creates, or only clients, tasks and directories. */
async function fillByHand(api: TestApi, mine: Map<string, number>, shared: ReadonlyMap<string, number>): Promise<void> {
  const { admin, database } = api
  const at = (name: string) => mine.get(name) ?? shared.get(name) ?? 0
  const insert = async (name: string, statement: ReturnType<typeof sql>) => {
    const found = await row<{ id?: number }>(database.db, statement)
    if (found?.id) mine.set(name, found.id)
  }
  const { body: host } = await admin.get(`/api/hosts/${at('host')}`)
  await admin.post('/api/hosts/facts', {
    name: host.name,
    facts: { minefact: 'minevalue', architecture: 'sharedarchitecture' },
  })
  const pathOfValues = `/api/smart_class_parameters/${at('smart_class_parameter')}/override_values`
  mine.set(
    'override_value',
    (
      await expectCreated(
        admin.post(pathOfValues, { override_value: { match: `fqdn=${host.name}`, value: 'minevalue' } }),
      )
    ).id,
  )
  await insert(
    'external_usergroup',
    sql`insert into external_usergroups (name, auth_source_id, usergroup_id) values ('mineexternal', ${at('auth_source_ldap')}, ${shared.get('usergroup')}) returning id`,
  )
  await insert(
    'config_rollout',
    sql`insert into config_rollouts (search, status, user_id, requested_by, finished_at) values ('name = mine', 'finished', ${at('user')}, 'mineuser', now()) returning id`,
  )
  await insert(
    'config_run',
    sql`insert into config_runs (host_id, host_name, rollout_id, user_id, requested_by, status, finished_at) values (${at('host')}, ${host.name}, ${at('config_rollout')}, ${at('user')}, 'mineuser', 'failed', now()) returning id`,
  )
  await insert(
    '',
    sql`insert into config_run_output (config_run_id, number, stream, text) values (${at('config_run')}, 1, 'stdout', 'mineoutput')`,
  )
  await insert(
    '',
    sql`with request as (
        insert into deferred_requests (task_id, status, answer) select max(id), 200, 'mineanswer' from tasks returning task_id)
      insert into deferred_parts select task_id, 0, 'mineoutcome' from request`,
  )
  await insert(
    '',
    sql`insert into build_tokens (host_id, token_hash, token, expires_at) values (${at('host')}, 'mine'::bytea, 'minetoken', now() + interval '1 day')`,
  )
  await insert(
    '',
    sql`insert into configuration_statuses (host_id, reported_at, applied, restarted, failed, failed_restarts, skipped, pending) values (${at('host')}, now(), 0, 0, 1, 0, 0, 0)`,
  )
  await insert(
    'config_report',
    sql`with text as (insert into report_texts (digest, value) values ('\\xabcd', 'minelog') returning id)
      insert into config_reports (host_id, reported_at, failed, log_levels, log_sources, log_messages) select ${at('host')}, now(), 1, '{0}', array[id], array[id] from text returning id`,
  )
  await insert(
    'class_import',
    sql`insert into class_imports (smart_proxy_id, source, user_id, requested_by, status, environments, environments_done, finished_at) values (${at('smart_proxy')}, 'https://mine.example.test', ${at('user')}, 'mineuser', 'finished', 1, 1, now()) returning id`,
  )
  await insert(
    'subscription',
    sql`insert into subscriptions (organization_id, product_id, name) values (${at('organization')}, ${at('product')}, 'minesubscription') returning id`,
  )
  await insert(
    'webhook',
    sql`insert into webhooks (name, target_url, events, secret, user_id) values ('minewebhook', 'https://mine.example.test', '{*}', 'none', ${at('user')}) returning id`,
  )
  await insert(
    'webhook_delivery',
    sql`insert into webhook_deliveries (webhook_id, event_type, subject, message_id) values (${at('webhook')}, 'host.created', 'hosts/mine', 'mine') returning id`,
  )
  await insert(
    '',
    sql`insert into event_notes (resource, action, record_id, record_name) values ('user', 'logged_in', ${at('user')}, 'mineuser')`,
  )
  await insert(
    '',
    sql`insert into report_jobs (report_template_id, user_id, wish) values (${at('report_template')}, ${at('user')}, '{"inputs": {"mine": "minewish"}}')`,
  )
  for (const [table, column] of [
    ['parameters', 'value'],
    ['smart_class_parameters', 'default_value'],
    ['override_values', 'value'],
    ['compute_attributes', 'vm_attrs'],
  ] as const)
    await sql`insert into ${sql.table(`${table}_order`)} (id, ordered)
      select id, ${sql.ref(column)}::text from ${sql.table(table)} where ${sql.ref(column)} is not null on conflict do nothing`.execute(
      database.db,
    )
  await insert('', sql`insert into subscription_products values (${at('subscription')}, ${at('product')})`)
  await insert(
    '',
    sql`insert into environment_sources (environment_id, source) values (${at('environment')}, 'mine') on conflict do nothing`,
  )
  await insert(
    '',
    sql`insert into registrations (host_id, uuid, serial, certificate, expires_at) values (${at('host')}, gen_random_uuid(), 'mineserial', 'none', now() + interval '1 day')`,
  )
  await insert('', sql`insert into registration_overrides values (${at('host')}, 'mine', 'enabled', '1')`)
  await insert(
    '',
    sql`insert into build_tokens (host_id, token_hash, token, expires_at) values (${at('host')}, 'mine'::bytea, 'mine', now() + interval '1 day') on conflict do nothing`,
  )
  await insert('', sql`insert into smart_proxy_hosts values (${at('smart_proxy')}, ${at('host')})`)
  await insert(
    '',
    sql`insert into host_wishes (host_id, service_level) values (${at('host')}, 'mine') on conflict do nothing`,
  )
  const content = await row<{ id: number }>(
    database.db,
    sql`select min(id) as id from contents where organization_id = ${at('organization')}`,
  )
  mine.set('repository_set', content?.id ?? 0)
  const key = {
    name: 'mineactivationkey',
    host_collection_ids: [at('host_collection')],
    location_ids: [at('location')],
  }
  mine.set(
    'activation_key',
    (
      await expectCreated(
        admin.post('/content/api/activation_keys', { organization_id: at('organization'), activation_key: key }),
      )
    ).id,
  )
  await insert(
    '',
    sql`insert into activation_key_content_overrides values (${at('activation_key')}, ${content?.id}, 'mine', 'mine')`,
  )
  await insert(
    '',
    sql`insert into activation_key_subscriptions values (${at('activation_key')}, ${at('subscription')}, 1)`,
  )
  await insert(
    'content_view_filter_rule',
    sql`insert into content_view_filter_rules (content_view_filter_id, name) values (${at('content_view_filter')}, 'mine') returning id`,
  )
  await insert('', sql`insert into activation_key_hosts values (${at('activation_key')}, ${at('host')}, 0)`)
  await insert('', sql`insert into host_content_overrides values (${at('host')}, ${content?.id}, 'mine', 'mine')`)
  await insert('', sql`insert into host_entitlements values (${at('host')}, ${at('subscription')}, 1)`)
  await insert(
    '',
    sql`insert into host_environments select ${at('host')}, 0, content_view_id, environment_id from content_view_environments e join content_views v on v.id = e.content_view_id where organization_id = ${at('organization')} limit 1`,
  )
  await insert(
    '',
    sql`insert into registration_tokens (token_hash, user_id, organization_id, expires_at) values ('mine'::bytea, ${at('user')}, ${at('organization')}, now() + interval '1 day')`,
  )
  mine.set(
    'personal_access_token',
    (await expectCreated(admin.post(`/api/users/${at('user')}/personal_access_tokens`, { name: 'minetoken' }))).id,
  )
  const owned = sql`values (${at('user')})`
  await insert('', sql`insert into second_factor_dues (user_id) ${owned}`)
  await insert('', sql`insert into second_factor_failures (user_id, failures, until) values (${at('user')}, 1, now())`)
  await insert('', sql`insert into user_code_failures (user_id, failures, until) values (${at('user')}, 1, now())`)
  await insert(
    'second_factor',
    sql`insert into second_factors (user_id, kind, secret) values (${at('user')}, 'totp', 'mine') returning id`,
  )
  await insert('', sql`insert into recovery_codes (second_factor_id, digest) values (${at('second_factor')}, 'mine')`)
  await insert(
    'login_event',
    sql`insert into login_events (user_id, outcome, method, address) values (${at('user')}, 'granted', 'mine', 'mine') returning id`,
  )
  await insert(
    '',
    sql`insert into token_limits (personal_access_token_id, organization_ids, location_ids)
      values (${at('personal_access_token')}, array[${at('organization')}::bigint], array[${at('location')}::bigint])`,
  )
  await insert(
    '',
    sql`insert into replaced_tokens (personal_access_token_id, token, expires_at) values (${at('personal_access_token')}, 'mine', now())`,
  )
  await insert(
    '',
    sql`insert into old_tokens (personal_access_token_id, salt, hash) values (${at('personal_access_token')}, 'mine', 'mine')`,
  )
  // Ages in words must not change during a comparison.
  await sql`update content_view_versions set created_at = created_at - interval '9 days 6 hours'`.execute(database.db)
  await sql`update content_view_environments set promoted_at = promoted_at - interval '9 days 6 hours'`.execute(
    database.db,
  )
  for (const name of ['role', 'filter'])
    await admin.put(`/api/${name}s/${shared.get(name)}`, {
      [name]: { organization_ids: [at('organization')], location_ids: [at('location')] },
    })
  for (const [table, one, other] of [
    ['usergroup_users', shared.get('usergroup'), at('user')],
    ['user_roles', at('user'), shared.get('role')],
    ['configclass_environments', shared.get('configclass'), at('environment')],
    ['class_parameter_environments', shared.get('smart_class_parameter'), at('environment')],
    ['host_configclasses', at('host'), shared.get('configclass')],
  ] as const)
    if (one)
      await sql`insert into ${sql.table(table)} values (${one}, ${other}) on conflict do nothing`.execute(database.db)
}
