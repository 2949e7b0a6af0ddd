import { isObject, type JsonObject } from './exchanges.ts'
import type { Kind } from './kinds.ts'
import { numberOf, rowsOf } from './records.ts'
import type { Around, Send, World } from './world.ts'

/** Fills in the parents in the path of a kind; null when a parent cannot be created. */
export async function fillPath(
  world: World,
  path: string,
  { within }: Kind,
  record: JsonObject,
  around: Around,
): Promise<string | null> {
  let filled = path
  if (filled.includes(':organization_id')) {
    const organization = await organizationOf(world, record, around)
    if (organization === null) return null
    filled = filled.replace(':organization_id', String(organization))
  }
  if (within !== undefined && filled.includes(':parent')) {
    const { organization } = around
    const placed: Around = within === 'content_view' && organization !== undefined ? { organization } : {}
    const parent =
      around[within] ??
      (await ensureReference(world, record, within, within, placed)) ??
      (await world.ensure(within, { name: `some ${within}`.replaceAll(' ', '_') }, placed))
    if (parent === null) return null
    filled = filled.replace(':parent', String(parent))
  }
  return filled
}

/** Finds the organization of a record of the content API. */
export async function organizationOf(world: World, record: JsonObject, around: Around): Promise<number | null> {
  if (around.organization !== undefined) return around.organization
  return (
    (await ensureReference(world, record, 'organization', 'organization')) ??
    world.ensure('organization', { name: 'Organization 1' })
  )
}

/** Finds or creates the record to which another refers by `<key>_id`, by `<key>` or by the name of its kind. */
export async function ensureReference(
  world: World,
  record: JsonObject,
  key: string,
  target: string,
  around: Around = {},
): Promise<number | null> {
  const nested = record[key]
  const id = numberOf(record[`${key}_id`]) ?? (isObject(nested) ? numberOf(nested.id) : null)
  const nestedRecord: JsonObject = isObject(nested) ? nested : isObject(record[target]) ? record[target] : {}
  const name = record[`${key}_name`]
  const named: JsonObject = typeof name === 'string' ? { name, title: name, login: name } : {}
  const templateKind: JsonObject =
    target === 'provisioning_template' ? { template_kind_name: record.template_kind_name ?? null } : {}
  if (id === null) return null
  return world.ensure(target, { ...named, ...templateKind, ...nestedRecord, id }, around)
}

/** Finds or creates our records for a list of recorded ones, and yields their ids. */
export async function ensureEach(
  world: World,
  kind: string,
  records: readonly JsonObject[],
  around: Around,
): Promise<number[]> {
  const linked: number[] = []
  for (const record of records) {
    const id = await world.ensure(kind, record, around)
    if (id !== null) linked.push(id)
  }
  return linked
}

/** Finds the record with this name in a list, also below a parent whose list has no search. */
export async function findNamed(send: Send, path: string, definition: Kind, label: string): Promise<JsonObject | null> {
  if (label === '' && definition.within === undefined) return null
  const searchable = definition.within === undefined && definition.label !== 'none'
  const query = searchable ? `search=${encodeURIComponent(`${definition.label}="${label}"`)}&` : ''
  const { body } = await send('GET', `${path}?${query}per_page=all`)
  const rows = rowsOf(body)
  const isNamed = (row: JsonObject) => row[definition.label] === label || row.name === label
  return rows.find(isNamed) ?? (path === '/api/hosts' ? findShortNamed(send, label) : null)
}

/** Finds a host by its short name, without its domain. */
async function findShortNamed(send: Send, label: string): Promise<JsonObject | null> {
  const { body } = await send('GET', `/api/hosts?search=${encodeURIComponent(`name ~ "${label}."`)}&per_page=all`)
  return rowsOf(body).find(({ name }) => typeof name === 'string' && name.startsWith(`${label}.`)) ?? null
}

/** Finds the operating system with this name and version, and gives it the recorded title. */
export async function findVersion(
  send: Send,
  { name, major, minor }: JsonObject,
  title: string,
): Promise<JsonObject | null> {
  if (typeof name !== 'string' || name === '' || major === undefined) return null
  const { body } = await send(
    'GET',
    `/api/operatingsystems?search=${encodeURIComponent(`name="${name}"`)}&per_page=all`,
  )
  const found = rowsOf(body).find((row) => row.name === name && row.major === major && row.minor === (minor ?? ''))
  if (!found) return null
  await send('PUT', `/api/operatingsystems/${found.id}`, { operatingsystem: { description: title } })
  return found
}
