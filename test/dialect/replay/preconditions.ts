import { type Exchange, isList, isObject, type Json } from './exchanges.ts'
import { KINDS, type Kind, kindOf } from './kinds.ts'
import { labelOf, numberOf, rowsOf } from './records.ts'
import { idOf, type Target } from './routes.ts'
import type { Around, Send, World } from './world.ts'

/** Makes what the answer shows to have been so, apart from records; yields who asks. */
export async function prepare(world: World, exchange: Exchange, target: Target, around: Around): Promise<Send> {
  const said = JSON.stringify(exchange.response ?? '')
  if (/Missing one of the required permissions|preferences of a different user/.test(said))
    return world.ground.powerless
  if (/puppetclass/.test(exchange.url) && exchange.method !== 'GET') await giveEnvironment(world, around)
  if (exchange.method === 'GET' && around.puppetclass !== undefined) await useClass(world, around.puppetclass, around)
  if (target.action === 'clone' || target.action === 'copy') await makeNameFree(world, exchange, target, around)
  if (target.action === 'puppetrun') await allowRuns(world, around)
  if (said.includes('your own account')) await becomeSelf(world, target.steps.at(-1)?.segment ?? '')
  if (exchange.method === 'POST' && target.collection !== null && target.action === null) {
    const kind = kindOf(target.collection, target.prefix)
    const label = requestedLabel(kind, exchange.request)
    if (exchange.status < 300 && (label !== '' || exchange.by === 'documentation'))
      await makeAbsent(world, kind, label, around)
    if (label !== '' && said.includes('already'))
      await world.ensure(kind, { name: label, login: label, title: label }, around)
  }
  if (exchange.status === 409 || exchange.status === 422) await makeObstacle(world, exchange, target, said, around)
  if (exchange.by === 'client' && exchange.method === 'GET' && target.collection !== null) {
    await makeUnfound(world, exchange, target, around)
  }
  return world.ground.send
}

/** A copy gets a name that nothing has. */
async function makeNameFree(world: World, { request, status }: Exchange, { steps, prefix }: Target, around: Around) {
  const kind = kindOf(steps.at(-1)?.collection ?? '', prefix)
  const label = requestedLabel(kind, request)
  if (status < 300 && label !== '') await makeAbsent(world, kind, label, around)
}

/** What stood in the way of a request: users of the record, others of its name. */
async function makeObstacle(
  world: World,
  { request }: Exchange,
  { steps, prefix }: Target,
  said: string,
  around: Around,
) {
  const last = steps.at(-1)
  const kind = last ? kindOf(last.collection, prefix) : ''
  const id = around[kind]
  if (said.includes('is used by') && kind === 'architecture') {
    await world.ground.send('POST', '/api/hostgroups', { hostgroup: { name: 'Common', architecture_id: id } })
  }
  if (said.includes('is used by') && kind === 'provisioning_template') {
    const system = await world.ensure('operatingsystem', { name: 'Redhat', title: 'RHEL 6.1' })
    const { body } = await world.ground.send('GET', `/api/provisioning_templates/${id}`)
    const template_kind_id = isObject(body) ? body.template_kind_id : null
    const os_default_template = { provisioning_template_id: id, template_kind_id }
    await world.ground.send('POST', `/api/operatingsystems/${system}/os_default_templates`, { os_default_template })
  }
  if (said.includes('nested host groups')) {
    await world.ground.send('POST', '/api/hostgroups', { hostgroup: { name: `below ${id}`, parent_id: id } })
  }
  if (said.includes('already been taken') && last) {
    await world.ensure(kind, { name: requestedLabel(kind, request) })
  }
}

/** What a recorded search did not find is not there. */
async function makeUnfound(world: World, { response }: Exchange, target: Target, around: Around): Promise<void> {
  if (!isObject(response) || rowsOf(response).length > 0) return
  const name = /^(?:name|title|login)="([^"]*)"$/.exec(target.query.get('search') ?? '')?.[1]
  if (name !== undefined && target.collection !== null) {
    await makeAbsent(world, kindOf(target.collection, target.prefix), name, around)
  }
}

/** Nothing is below the parent, for records that are told apart by other things than names. */
async function makeEmpty(world: World, { path, within = '' }: Kind, around: Around): Promise<void> {
  const parent = around[within]
  if (parent === undefined) return
  const list = path.replace(':parent', String(parent))
  const { body } = await world.ground.send('GET', `${list}?per_page=all`)
  for (const { id, name } of rowsOf(body)) {
    await world.ground.send('DELETE', `${list}/${list.endsWith('/table_preferences') ? name : id}`)
  }
}

/** Hosts and host groups have classes in an environment only. */
async function giveEnvironment(world: World, { host, hostgroup, puppetclass }: Around): Promise<void> {
  const environment_id = await world.ensure('environment', { name: 'production' })
  const { send } = world.ground
  if (host !== undefined) await send('PUT', `/api/hosts/${host}`, { host: { environment_id } })
  if (hostgroup !== undefined) await send('PUT', `/api/hostgroups/${hostgroup}`, { hostgroup: { environment_id } })
  if (puppetclass === undefined) return
  await send('PUT', `/api/puppetclasses/${puppetclass}`, { puppetclass: { environment_ids: [environment_id] } })
}

/** Classes that a host or a host group lists are its own. */
export async function useClass(world: World, puppetclass: number, { host, hostgroup }: Around): Promise<void> {
  if (host === undefined && hostgroup === undefined) return
  await giveEnvironment(world, { ...(host && { host }), ...(hostgroup && { hostgroup }), puppetclass })
  const owner = host === undefined ? `/api/hostgroups/${hostgroup}` : `/api/hosts/${host}`
  await world.ground.send('POST', `${owner}/puppetclass_ids`, { puppetclass_id: puppetclass })
}

/** What a host is made of is where the host is. */
export async function placeParts(world: World, body: Json | undefined): Promise<void> {
  const host = isObject(body) ? body.host : null
  if (!isObject(host)) return
  const place: Record<string, Json> = {}
  if (host.organization_id) place.organization_ids = [host.organization_id]
  if (host.location_id) place.location_ids = [host.location_id]
  if (Object.keys(place).length === 0) return
  const interfaces = isList(host.interfaces_attributes) ? host.interfaces_attributes.filter(isObject) : []
  for (const part of [host, ...interfaces]) {
    for (const [key, kind] of PARTS) {
      const id = part[`${key}_id`]
      const { path = '' } = KINDS[kind] ?? {}
      if (typeof id === 'number') await world.ground.send('PUT', `${path}/${id}`, { [kind]: place })
    }
  }
}

const PARTS = [
  ...['environment', 'domain', 'subnet', 'medium', 'ptable', 'realm', 'compute_resource', 'hostgroup'].map(
    (kind) => [kind, kind] as const,
  ),
  ['puppet_proxy', 'smart_proxy'] as const,
]

/** Runs are allowed, and there is a proxy to start them. */
async function allowRuns(world: World, { host }: Around): Promise<void> {
  const puppet_proxy_id = await world.ensure('smart_proxy', { name: 'Puppet Proxy' })
  await world.ground.send('PUT', '/api/settings/puppetrun', { setting: { value: true } })
  await world.ground.send('PUT', `/api/hosts/${host}`, { host: { puppet_proxy_id } })
}

/** Who asks is the user in the path. */
export async function becomeSelf(world: World, segment: string): Promise<void> {
  const id = idOf(segment)
  const { body } = await world.ground.send('GET', '/api/users?search=login%3Dadmin')
  const self = numberOf(rowsOf(body)[0]?.id)
  if (id !== null && self !== null) world.know('user', id, self)
}

/** Nothing has that name: what has it is deleted, or called something else where it is in use; not what the case itself made. */
async function makeAbsent(world: World, kind: string, label: string, around: Around): Promise<void> {
  const definition = KINDS[kind]
  if (!definition || kind === 'template_kind') return
  if (definition.within !== undefined) return makeEmpty(world, definition, around)
  const found = await world.find(kind, label, around)
  if (!found || world.own.has(`${kind} ${found.id}`)) return
  const path = (definition.makePath ?? definition.path).replace(/\/organizations\/:organization_id/, '')
  const { status } = await world.ground.send('DELETE', `${path}/${found.id}`)
  if (status < 300) return world.lose(kind, Number(found.id))
  const renamed = { [definition.label === 'login' ? 'login' : 'name']: `former-${found.id}` }
  await world.ground.send(
    'PUT',
    `${path}/${found.id}`,
    definition.root === null ? renamed : { [definition.root]: renamed },
  )
}

/** The name that a request gives to the record it makes. */
function requestedLabel(kind: string, request: Json): string {
  const definition = KINDS[kind]
  if (!definition || !isObject(request)) return ''
  const nested = definition.root === null ? undefined : request[definition.root]
  return labelOf(
    { ...definition, label: definition.label === 'title' ? 'name' : definition.label },
    {
      ...request,
      ...(isObject(nested) && nested),
    },
  )
}
