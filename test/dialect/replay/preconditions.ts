import { giveKind } from './bodies.ts'
import { giveAllContent } from './content.ts'
import { type Exchange, isList, isObject, type Json } from './exchanges.ts'
import { prepareHost } from './hosts.ts'
import { KINDS, type Kind, kindOf } from './kinds.ts'
import { makeObstacle } from './obstacles.ts'
import { listOf } from './publishing.ts'
import { numberOf, requestedLabel, requestedRecord, rowsOf } from './records.ts'
import { idOf, type Target } from './routes.ts'
import type { Around, Send, World } from './world.ts'

/** Recreates the circumstances that the answer shows, beyond records; yields the caller of the request. */
export async function prepare(world: World, exchange: Exchange, target: Target, around: Around): Promise<Send> {
  const said = JSON.stringify(exchange.response ?? '')
  if (said.includes('Missing one of the required permissions')) return world.ground.powerless
  if (said.includes('preferences of a different user') && around.user !== undefined)
    return world.ground.colleagueOf(around.user)
  if (/puppetclass/.test(exchange.url) && exchange.method !== 'GET') await giveEnvironment(world, around)
  if (exchange.method === 'GET' && around.puppetclass !== undefined) await useClass(world, around.puppetclass, around)
  if (target.action === 'clone' || target.action === 'copy') await makeNameFree(world, exchange, target, around)
  if (target.action === 'puppetrun') await allowRuns(world, around)
  if (target.action === 'import_puppetclasses') await ignoreEnvironments(world, said)
  if (said.includes('your own account')) await becomeSelf(world, target.steps.at(-1)?.segment ?? '')
  if (exchange.method === 'POST' && target.collection !== null && target.action === null) {
    const kind = kindOf(target.collection, target.prefix)
    const label = requestedLabel(kind, exchange.request)
    if (exchange.status < 300 && (label !== '' || exchange.by === 'documentation'))
      await makeAbsent(world, kind, label, around)
    if (label !== '' && said.includes('already'))
      await world.ensure(
        kind,
        { title: label, ...requestedRecord(kind, exchange.request), name: label, login: label },
        around,
      )
  }
  if (exchange.status < 300) await makeRoom(world, exchange, target, around)
  await giveAllContent(world, said, around)
  await prepareHost(world, exchange, around)
  if (REFUSED.has(exchange.status)) await makeObstacle(world, exchange, target, said, around)
  if (exchange.by === 'client' && exchange.method === 'GET' && target.collection !== null) {
    await makeUnfound(world, exchange, target, around)
  }
  return world.ground.send
}

const REFUSED = new Set([409, 422, 500])

/** Makes a request succeed: records can be deleted, and no other override matches like a changed one. */
async function makeRoom(world: World, exchange: Exchange, target: Target, around: Around): Promise<void> {
  const { steps, collection, action, prefix } = target
  const last = steps.at(-1)
  if (!last || collection !== null || action !== null) return
  const kind = kindOf(last.collection, prefix)
  if (exchange.method === 'PUT' && kind === 'override_value') await freeMatch(world, exchange, around)
  if (exchange.method !== 'DELETE') return
  if (kind === 'host' && around.host !== undefined) await runOn(world, around.host, around)
  const isPart = kind in around && steps.length > 1
  if (exchange.by === 'documentation' && idOf(last.segment) === null && !isPart) {
    await makeUnused(world, kind, decodeURIComponent(last.segment), around)
  }
}

/** Lets an example delete an unused record with this name instead of one in use. */
async function makeUnused(world: World, kind: string, name: string, around: Around): Promise<void> {
  await makeAbsent(world, kind, name, around)
  await world.ensure(kind, { name, login: name, title: name })
}

/** Deletes overrides with the match of a changed one. */
async function freeMatch(world: World, { request }: Exchange, around: Around): Promise<void> {
  const { match } = requestedRecord('override_value', request)
  const list = `/foreman_puppet/api/smart_class_parameters/${around.smart_class_parameter}/override_values`
  const others = (await listOf(world, list)).filter((each) => each.match === match && each.id !== around.override_value)
  for (const { id } of others) await world.ground.send('DELETE', `${list}/${id}`)
}

/** Frees the name of a copy. */
async function makeNameFree(world: World, { request, status }: Exchange, { steps, prefix }: Target, around: Around) {
  const kind = kindOf(steps.at(-1)?.collection ?? '', prefix)
  const label = requestedLabel(kind, request)
  if (status < 300 && label !== '') await makeAbsent(world, kind, label, around)
}

/** Deletes what a recorded search did not find. */
async function makeUnfound(world: World, { response }: Exchange, target: Target, around: Around): Promise<void> {
  if (!isObject(response) || rowsOf(response).length > 0) return
  const name = /^(?:name|title|login)="([^"]*)"$/.exec(target.query.get('search') ?? '')?.[1]
  if (name !== undefined && target.collection !== null) {
    await makeAbsent(world, kindOf(target.collection, target.prefix), name, around)
  }
}

/** Empties the list below a parent, for records without names. */
async function makeEmpty(world: World, { path, within = '' }: Kind, around: Around): Promise<void> {
  const parent = around[within]
  if (parent === undefined) return
  const list = path.replace(':parent', String(parent))
  const { body } = await world.ground.send('GET', `${list}?per_page=all`)
  for (const { id, name } of rowsOf(body)) {
    await world.ground.send('DELETE', `${list}/${list.endsWith('/table_preferences') ? name : id}`)
  }
}

/** Gives hosts and host groups an environment, without which they cannot have classes. */
async function giveEnvironment(world: World, { host, hostgroup, puppetclass }: Around): Promise<void> {
  const { send } = world.ground
  const environment_id = await world.ensure('environment', { name: 'production' }, await placeOf(world, host))
  if (host !== undefined) await send('PUT', `/api/hosts/${host}`, { host: { environment_id } })
  if (hostgroup !== undefined) await send('PUT', `/api/hostgroups/${hostgroup}`, { hostgroup: { environment_id } })
  if (puppetclass === undefined) return
  await send('PUT', `/api/puppetclasses/${puppetclass}`, { puppetclass: { environment_ids: [environment_id] } })
}

/** Lists the host below the smart proxy as one that it runs on. */
export async function runOn(world: World, host: number, { smart_proxy }: Around): Promise<void> {
  if (smart_proxy !== undefined) await world.ground.send('PUT', `/api/smart_proxies/${smart_proxy}/hosts/${host}`, {})
}

/** Yields the organization and location of a host, where everything that it uses has to be. */
async function placeOf(world: World, host: number | undefined): Promise<Around> {
  if (host === undefined) return {}
  const { body } = await world.ground.send('GET', `/api/hosts/${host}`)
  const [organization, location] = isObject(body) ? [numberOf(body.organization_id), numberOf(body.location_id)] : []
  return { ...(organization && { organization }), ...(location && { location }) }
}

/** Assigns a class to the host or host group that lists it. */
export async function useClass(world: World, puppetclass: number, { host, hostgroup }: Around): Promise<void> {
  if (host === undefined && hostgroup === undefined) return
  await giveEnvironment(world, { ...(host && { host }), ...(hostgroup && { hostgroup }), puppetclass })
  const owner = host === undefined ? `/api/hostgroups/${hostgroup}` : `/api/hosts/${host}`
  await world.ground.send('POST', `${owner}/puppetclass_ids`, { puppetclass_id: puppetclass })
}

/** Puts the parts of a host where the host is, and gives templates the kind that they are used for. */
export async function placeParts(world: World, body: Json | undefined): Promise<void> {
  if (isObject(body) && isObject(body.os_default_template)) await giveKind(world, body.os_default_template)
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

/** Allows runs, and creates a proxy that starts them. */
async function allowRuns(world: World, { host }: Around): Promise<void> {
  const puppet_proxy_id = await world.ensure('smart_proxy', { name: 'Puppet Proxy' })
  await world.ground.send('PUT', '/api/settings/puppetrun', { setting: { value: true } })
  await world.ground.send('PUT', `/api/hosts/${host}`, { host: { puppet_proxy_id } })
}

/** Makes proxies offer environments that an import ignores, where the answer shows them. */
async function ignoreEnvironments(world: World, said: string): Promise<void> {
  const value = said.includes('ignored_environment"') ? '["production"]' : '[]'
  await world.ground.send('PUT', '/api/settings/ignored_environments', { setting: { value } })
}

/** Makes the user in the path the caller. */
export async function becomeSelf(world: World, segment: string): Promise<void> {
  const id = idOf(segment)
  const { body } = await world.ground.send('GET', '/api/users?search=login%3Dadmin')
  const self = numberOf(rowsOf(body)[0]?.id)
  if (id !== null && self !== null) world.know('user', id, self)
}

/** Frees a name: its record is deleted, or renamed where it is in use, unless the case itself created it. */
async function makeAbsent(world: World, kind: string, label: string, around: Around): Promise<void> {
  const definition = KINDS[kind]
  if (!definition || kind === 'template_kind') return
  if (definition.within !== undefined) return makeEmpty(world, definition, around)
  const found = await world.find(kind, label, around)
  if (!found || world.own.has(`${kind} ${found.id}`)) return
  const path = (definition.makePath ?? definition.path).replace(/\/organizations\/:organization_id/, '')
  const { status } = await world.ground.send('DELETE', `${path}/${found.id}`)
  if (status < 300) return world.lose(kind, Number(found.id))
  const renamed = { [definition.label === 'login' ? 'login' : 'name']: `former${found.id}` }
  await world.ground.send(
    'PUT',
    `${path}/${found.id}`,
    definition.root === null ? renamed : { [definition.root]: renamed },
  )
}
