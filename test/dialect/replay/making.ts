import { newBody, placement } from './bodies.ts'
import { isObject, type JsonObject } from './exchanges.ts'
import { fillPath, findNamed, findVersion } from './finding.ts'
import { KINDS, type Kind } from './kinds.ts'
import { addComponent, listOf, publish, publishAsRecorded } from './publishing.ts'
import { labelOf, numberOf, pick, rowsOf, wrap } from './records.ts'
import type { Around, World } from './world.ts'

/** Finds the record that a recorded one stands for, or creates it. */
export async function settle(
  world: World,
  kind: string,
  definition: Kind,
  record: JsonObject,
  around: Around,
): Promise<number | null> {
  const path = await fillPath(world, definition.path, definition, record, around)
  if (path === null) return null
  if (kind === 'auth_source' && record.type !== undefined && record.type !== 'AuthSourceLdap') {
    return firstOf(world, AUTH_SOURCES[String(record.type)] ?? definition.path)
  }
  const label = labelOf(definition, record)
  const found =
    (await findNamed(world.ground.send, path, definition, label)) ??
    (kind === 'operatingsystem' ? await findVersion(world.ground.send, record, label) : null)
  if (found) {
    await placeFound(world, kind, path, { found, record }, around)
    return numberOf(found.id)
  }
  if (definition.made === 'by SQL') {
    return world.ground.storeParameter(Number(path.split('/')[4]), label || 'param', record)
  }
  if (definition.made === 'by publishing') return publish(world, kind, path)
  if (definition.made === 'by adding') return addComponent(world, record, path)
  const makePath = await fillPath(world, definition.makePath ?? definition.path, definition, record, around)
  const body = await newBody(world, kind, definition, record, label, around)
  const least = {
    ...definition.needs?.(label),
    ...pick(body, [...REQUIRED, definition.label, 'login', ...(definition.within ? Object.keys(body) : [])]),
  }
  for (const each of [body, least]) {
    const { status, body: made, text } = await world.ground.send('POST', makePath ?? path, wrap(definition, each))
    const id = isObject(made) ? numberOf(made.id) : null
    if (status < 300 && id !== null) {
      if (kind === 'content_view') await publishAsRecorded(world, id, record)
      return id
    }
    if (each !== least) continue
    const existing = await anyNamed(world, definition, path, label)
    if (existing !== null) return existing
    world.failures.push(`${kind} ${label}: ${status} ${text.slice(0, 200)}`)
  }
  return null
}

/** Finds a record that could not be created because it exists under a name that no search finds. */
async function anyNamed(world: World, definition: Kind, path: string, label: string): Promise<number | null> {
  const rows = await listOf(world, path)
  const named = rows.find((row) =>
    [row[definition.label], row.title, row.name].some((name) => name === label || name === label.replaceAll(' ', '_')),
  )
  return numberOf((named ?? (definition.within === undefined ? undefined : rows[0]))?.id)
}

/** Sources of which every service has one. */
const AUTH_SOURCES: Readonly<Record<string, string>> = {
  AuthSourceExternal: '/api/auth_source_externals',
  AuthSourceInternal: '/api/auth_source_internals',
}

async function firstOf(world: World, path: string): Promise<number | null> {
  const { body } = await world.ground.send('GET', path)
  return numberOf(rowsOf(body)[0]?.id)
}

const REQUIRED = [
  'name',
  'organization_id',
  'parent_id',
  'major',
  'product_id',
  'prior_id',
  'url',
  'host',
  'port',
  'tls',
]

/** Adds a found record to the organization, location and parents of the path, and gives a template its kind. */
async function placeFound(
  world: World,
  kind: string,
  path: string,
  { found, record }: { readonly found: JsonObject; readonly record: JsonObject },
  around: Around,
) {
  const definition = KINDS[kind]
  if (!definition) return
  const body = placement(definition, around)
  if (kind === 'provisioning_template' && record.template_kind_name) body.template_kind_name = record.template_kind_name
  for (const [key, id] of Object.entries(body)) if (found[key] === id) delete body[key]
  if (Object.keys(body).length > 0) await world.ground.send('PUT', `${path}/${found.id}`, wrap(definition, body))
}
