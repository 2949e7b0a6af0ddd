import { type Exchange, isList, isObject, type Json } from './exchanges.ts'
import { listOf } from './publishing.ts'
import { numberOf } from './records.ts'
import type { Around, World } from './world.ts'

/** Finds the organization of a view, to which all its components belong. */
export async function besideView(world: World, { content_view: view }: Around): Promise<Around> {
  if (view === undefined) return {}
  const { body } = await world.ground.send('GET', `/katello/api/content_views/${view}`)
  const organization = isObject(body) ? numberOf(body.organization_id) : null
  return organization === null ? {} : { organization }
}

/** Tells whether an answer shows that the last record of the path belongs to another organization than the path. */
export function isElsewhere({ response }: Exchange): boolean {
  return JSON.stringify(response ?? '').includes('not relevant to the current organization')
}

/** Lets the organization of a key give its hosts all content, where the answer shows that it did. */
export async function giveAllContent(world: World, said: string, { activation_key }: Around): Promise<void> {
  if (!said.includes('in Simple Content Access mode') || activation_key === undefined) return
  const { body } = await world.ground.send('GET', `/katello/api/activation_keys/${activation_key}`)
  if (!isObject(body)) return
  const path = `/katello/api/organizations/${body.organization_id}`
  await world.ground.send('PUT', path, { simple_content_access: true })
}

/**
 * Creates the contents that a key overrides, which are named by the labels of an organization, a product and a repository.
 */
export async function ensureOverridden(world: World, { request, response, status }: Exchange): Promise<void> {
  const overrides = isObject(request) ? request.content_overrides : null
  const owner: Json = isObject(response) ? (response.organization ?? null) : null
  if (status >= 300 || !isList(overrides) || !isObject(owner)) return
  const organization = await world.ensure('organization', owner)
  if (organization === null) return
  for (const { content_label: label = null } of overrides.filter(isObject)) {
    const [, rest] = String(label).split(`${owner.label}_`, 2)
    if (!rest) continue
    const parts = rest.split('_')
    const half = Math.ceil(parts.length / 2)
    const product_id = await world.ensure('product', { name: parts.slice(0, half).join(' ') }, { organization })
    const name = parts.slice(half).join(' ')
    const known = await listOf(world, `/katello/api/products/${product_id}/repositories`)
    if (known.some((each) => each.name === name)) continue
    const repository = { product_id, name, content_type: 'yum', url: 'http://mirror.example.test/overridden' }
    await world.ground.send('POST', '/katello/api/repositories', repository)
  }
}

/** Puts a host into a collection. */
export async function fillCollection(world: World, collection: number | undefined): Promise<void> {
  const path = `/katello/api/host_collections/${collection}`
  const { body } = await world.ground.send('GET', path)
  const organization_id = isObject(body) ? numberOf(body.organization_id) : null
  const location_id = await world.ensure('location', { name: 'Location 1', title: 'Location 1' })
  const host = { name: `member-of-${collection}`, organization_id, location_id, managed: false }
  const { body: made } = await world.ground.send('POST', '/api/hosts', { host })
  if (isObject(made)) await world.ground.send('PUT', `${path}/add_hosts`, { host_ids: [made.id] })
}
