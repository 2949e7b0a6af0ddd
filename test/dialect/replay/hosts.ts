import { type Exchange, isList, isObject, type Json, type JsonObject } from './exchanges.ts'
import { numberOf, rowsOf } from './records.ts'
import type { Around, World } from './world.ts'

/**
 * Registers a host where the answer shows that, in one organization, and gives it the interfaces that the request names by
 * id.
 */
export async function prepareHost(world: World, exchange: Exchange, { host }: Around): Promise<void> {
  const { response, request, status, url } = exchange
  if (status < 300 && url === '/api/hosts/subscriptions' && isObject(request)) await placeTogether(world, request)
  if (host === undefined) return
  const facet = isObject(response) ? response.subscription_facet_attributes : null
  if (status < 300 && isObject(facet) && typeof facet.uuid === 'string') await register(world, host)
  const sent = isObject(request) && isObject(request.host) ? request.host.interfaces_attributes : null
  if (status !== 404 && sent !== undefined) await knowInterfaces(world, host, rowsOf(sent))
}

async function placeTogether(world: World, { lifecycle_environment_id, content_view_id }: JsonObject): Promise<void> {
  const organization = await world.ensure('organization', { name: 'Organization 1' })
  if (organization === null) return
  await world.ensure('lifecycle_environment', { id: lifecycle_environment_id ?? null }, { organization })
  await world.ensure('content_view', { id: content_view_id ?? null }, { organization })
}

/** Registers a host without a key, in the first environment and the default view. */
async function register(world: World, host: number): Promise<void> {
  const { send } = world.ground
  const { body } = await send('GET', `/api/hosts/${host}`)
  if (!isObject(body) || isObject(body.subscription_facet_attributes ?? null)) return
  const organization = `/katello/api/organizations/${numberOf(body.organization_id)}`
  const [library] = rowsOf((await send('GET', `${organization}/environments?library=true`)).body)
  const views = rowsOf((await send('GET', `${organization}/content_views?per_page=all`)).body)
  const view = views.find((each) => each.default === true)
  const { status, text } = await send('POST', '/api/hosts/subscriptions', {
    name: body.name,
    lifecycle_environment_id: library?.id,
    content_view_id: view?.id,
  })
  if (status >= 300)
    world.failures.push(`registration of ${JSON.stringify(body.name)}: ${status} ${text.slice(0, 200)}`)
}

async function knowInterfaces(world: World, host: number, sent: readonly JsonObject[]): Promise<void> {
  const unknown = sent.map(({ id }) => numberOf(id)).filter((id) => id !== null && !world.idFor('interface', id))
  if (unknown.length === 0) return
  const ours = rowsOf((await world.ground.send('GET', `/api/hosts/${host}/interfaces`)).body)
  for (const [index, id] of unknown.entries()) {
    const found = numberOf(ours[index]?.id)
    if (id !== null && found !== null) world.know('interface', id, found)
  }
}

/** Makes the parts of a successful request consistent: addresses lie in their subnets, classes are in the environment. */
export async function fitParts(world: World, body: Json | undefined): Promise<void> {
  const host = isObject(body) ? body.host : null
  if (!isObject(host)) return
  for (const { ip, subnet_id } of [host, ...rowsOf(host.interfaces_attributes)]) {
    const network = typeof ip === 'string' ? /^\d+\.\d+\.\d+\./.exec(ip)?.[0] : undefined
    if (network === undefined || typeof subnet_id !== 'number') continue
    const subnet = { network: `${network}0`, mask: '255.255.255.0' }
    await world.ground.send('PUT', `/api/subnets/${subnet_id}`, { subnet })
  }
  const { environment_id, puppetclass_ids } = host
  for (const id of environment_id && isList(puppetclass_ids) ? puppetclass_ids : []) {
    const puppetclass = { environment_ids: [environment_id] }
    await world.ground.send('PUT', `/foreman_puppet/api/puppetclasses/${String(id)}`, { puppetclass })
  }
}
