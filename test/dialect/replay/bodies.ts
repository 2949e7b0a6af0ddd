import { isList, isObject, type JsonObject } from './exchanges.ts'
import { ensureEach, ensureReference, organizationOf } from './finding.ts'
import type { Kind } from './kinds.ts'
import { publishOnce } from './publishing.ts'
import { nameFrom, singularOf } from './records.ts'
import type { Around, World } from './world.ts'

/** Builds the body of the request that creates a record like the recorded one. */
export async function newBody(
  world: World,
  kind: string,
  definition: Kind,
  record: JsonObject,
  label: string,
  around: Around,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...definition.needs?.(label) }
  if (definition.copied?.includes('name') || definition.label === 'name') body.name = nameFrom(label, record)
  for (const key of definition.copied ?? []) {
    if (record[key] !== null && record[key] !== undefined && record[key] !== '') body[key] = record[key]
  }
  if (kind === 'user') body.login = String(body.login).replaceAll(' ', '_')
  if (kind === 'smart_proxy') body.url = world.ground.proxyUrl()
  if (kind === 'auth_source') Object.assign(body, world.ground.directory)
  if (kind === 'operatingsystem') Object.assign(body, operatingsystemFrom(label, record))
  if (kind === 'provisioning_template' && record.snippet === true) delete body.template_kind_name
  const inside: Around = definition.path.includes(':organization_id')
    ? await insideOrganization(world, record, around)
    : {}
  for (const [key, target] of Object.entries(definition.references ?? {})) {
    const id = await ensureReference(world, record, key, target, inside)
    if (id !== null) body[`${key}_id`] = id
  }
  for (const [key, target] of Object.entries(definition.links ?? {})) {
    const listed = record[key]
    if (!isList(listed)) continue
    const linked = await ensureEach(world, target, listed.filter(isObject).slice(0, 5), inside)
    if (linked.length > 0) body[`${singularOf(key)}_ids`] = linked
  }
  if (inside.organization !== undefined) body.organization_id = inside.organization
  if (kind === 'lifecycle_environment' && body.prior_id === undefined) {
    body.prior_id = (await world.find(kind, 'Library', inside))?.id
  }
  if (body.auth_source_ldap_id !== undefined) body.auth_source_id = body.auth_source_ldap_id
  Object.assign(body, placement(definition, around))
  if (kind === 'puppetclass') body.environment_ids ??= [await world.ensure('environment', { name: 'production' })]
  if (kind === 'external_usergroup') body.auth_source_id ??= await world.ensure('auth_source', { name: 'ldap-server' })
  if (kind === 'repository') {
    body.product_id ??= await world.ensure('product', { name: 'Test Product' }, inside)
    body.organization_id = undefined
  }
  if (kind === 'activation_key' && typeof body.content_view_id === 'number')
    await publishOnce(world, body.content_view_id)
  if (kind === 'template_combination' && body.hostgroup_id === undefined && body.environment_id === undefined) {
    body.hostgroup_id = await world.ensure('hostgroup', { name: 'Common', title: 'Common' })
  }
  if (kind === 'os_default_template') await giveKind(world, body)
  if (kind === 'override_value') await ensureMatched(world, String(body.match))
  if (kind === 'host' && body.organization_id === undefined) await addDefaultPlace(world, body)
  return body
}

/** Builds the keys that put a record below others: `organization_ids`, `environment_ids`, `hostgroup_id`. */
export function placement(
  { links = {}, references = {}, within, root }: Kind,
  around: Around,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [kind, id] of Object.entries(around)) {
    // What a group is asked to hold holds no groups for it.
    if (kind === within || kind === root) continue
    const [link] = Object.entries(links).find(([, target]) => target === kind) ?? []
    if (link !== undefined) body[`${singularOf(link)}_ids`] = [id]
    else if (references[kind] === kind) body[`${kind}_id`] = id
  }
  return body
}

/** Creates the record that a matcher names: `hostgroup=Common`. */
export async function ensureMatched(world: World, match: string): Promise<void> {
  for (const condition of match.split(',')) {
    const [attribute = '', name = ''] = condition.split('=', 2)
    const kind = MATCHED[attribute]
    if (kind !== undefined && name !== '') await world.ensure(kind, { name, title: name })
  }
}

const MATCHED: Readonly<Record<string, string>> = {
  fqdn: 'host',
  hostgroup: 'hostgroup',
  os: 'operatingsystem',
  domain: 'domain',
}

/** Builds an operating system from a title alone: the title becomes the description where a name could not hold it. */
function operatingsystemFrom(title: string, { name, major, minor }: JsonObject): Record<string, unknown> {
  if (typeof name !== 'string' || (name === title && major === undefined))
    return { name: title.replaceAll(' ', '_'), description: title }
  const version = [major, minor].filter(Boolean).join('.')
  return [name, `${name} ${version}`].includes(title) ? { name } : { name, description: title }
}

/** Gives a default template of an operating system the kind that it is used for. */
export async function giveKind(world: World, { provisioning_template_id, template_kind_id }: Record<string, unknown>) {
  if (typeof provisioning_template_id !== 'number' || typeof template_kind_id !== 'number') return
  const provisioning_template = { template_kind_id }
  await world.ground.send('PUT', `/api/provisioning_templates/${provisioning_template_id}`, { provisioning_template })
}

/** Puts hosts into the default organization and location, where the recordings had them. */
async function addDefaultPlace(world: World, body: Record<string, unknown>) {
  body.organization_id = await world.ensure('organization', { name: 'Organization 1' })
  body.location_id ??= await world.ensure('location', { name: 'Location 1', title: 'Location 1' })
}

/** Puts what a record of the content API refers to into its organization. */
async function insideOrganization(world: World, record: JsonObject, around: Around): Promise<Around> {
  const organization = await organizationOf(world, record, around)
  return organization === null ? {} : { organization }
}
