import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { assembleResources } from '../../src/areas/index.ts'
import { translateName } from '../../src/dialect/names.ts'
import { toVendorPaths } from '../../src/dialect/paths.ts'
import { definitionOf } from '../../src/dialect/routes/definition-of.ts'
import { LISTS_AS_TEXT } from '../../src/dialect/table.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { type Body, given, leastBody, pathOf, resourceNamed, type Shown, wrapped } from '../support/given.ts'
import { describedKeys } from './keys/described.ts'
import { MISSING } from './keys/missing.ts'
import { MISSING_SETTINGS } from './keys/missing-settings.ts'
import { pathsIn, recordedKeys, recordedSettings } from './keys/recorded.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Each list and record has the keys that were recorded, and those that the description accepts, also for records below
// others and linked records. A table lists missing keys, with the reason for each.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('lists and records have the keys that clients know, but for those that have a reason, and each reason is needed', async () => {
  const known = Map.groupBy([...recordedKeys(), ...describedKeys(), ...READ_IN_LISTS], ({ segment }) => segment)
  const missing = new Set<string>()
  const compared = new Set<string>()
  for (const resource of assembleResources().values()) {
    for (const at of await placesOf(resource)) {
      const expected = known.get(at.segment)
      if (!expected) continue
      const shown = await keysShown(resource, at)
      for (const [view, keys] of Object.entries(shown)) {
        if (keys.size === 0) continue // resources that can only be created with the help of other servers
        compared.add(`${at.segment} ${view}`)
        for (const { key } of expected.filter((one) => one.view === view))
          if (!isShown(key, keys)) missing.add(`${at.segment} ${view} ${key}`)
      }
    }
  }
  expect(compared.size).toBeGreaterThan(85)
  expect([...missing].filter((one) => !MISSING.some(([about]) => about.test(one)))).toEqual([])
  expect(MISSING.filter(([about]) => ![...missing].some((one) => about.test(one)))).toEqual([])
})

/** What inventories and other clients read of the records in lists, though no recorded list has it (newer-clients §2g). */
const READ_IN_LISTS = [
  'content_facet_attributes',
  'content_facet_attributes.content_view_name',
  'content_facet_attributes.lifecycle_environment_name',
  'content_facet_attributes.content_view_environments',
  'content_facet_attributes.errata_counts',
  'subscription_facet_attributes',
  'subscription_status_label',
].map((key) => ({ segment: 'hosts', view: 'list' as const, key }))

/** Where records are found: the paths on both ports, and how the recorded path is identified. */
interface At {
  readonly segment: string
  readonly ours: string
  readonly theirs: string
  /** The keys that link a new record to its parent. */
  readonly parent: Body
}

/** Yields the path of a resource, or one below a new parent of each kind. */
async function placesOf(resource: Resource): Promise<At[]> {
  const last = lastOf(resource.path)
  const content = resource.path.startsWith('/content/')
  const prefix = content ? 'katello/' : ''
  if (!resource.nestedOnly) {
    const ours = pathOf(resource)
    const theirs = `${content ? '/katello/api' : '/api'}/${translateName('theirs', last)}`
    return [{ segment: `${prefix}${translateName('theirs', last)}`, ours, theirs, parent: {} }]
  }
  const places: At[] = []
  for (const name of Object.keys(resource.parents)) {
    const above = resourceNamed(name)
    if (above.path.startsWith('/content/') !== content || above.nestedOnly || !above.operations.includes('create'))
      continue
    const { id } = await given(api.ours, name)
    const [word, own] = [translateName('theirs', last), lastOf(above.path)]
    const segment = `${translateName('theirs', own)}/${id}/${word}`
    places.push({
      segment: `${prefix}${segment.replace(`/${id}/`, '/')}`,
      ours: `${content ? '/content/api' : '/api'}/${own}/${id}/${last}`,
      theirs: `${content ? '/katello/api' : '/api'}/${segment}`,
      parent: { [`${name}_id`]: id },
    })
  }
  return places
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Tells whether an answer shows a written key: links are written by ids and shown as records, parts are written as
 * attributes.
 */
function isShown(key: string, keys: ReadonlySet<string>): boolean {
  if (key.includes('.')) return keys.has(key) || isEmpty(key.slice(0, key.indexOf('.')), keys)
  const links = /^(.*)_ids?$/.exec(key)?.[1] ?? key
  const lists = [links, `${links}s`, `${links}es`, links.replace(/y$/, 'ies'), links.replace(/um$/, 'a')]
  const parts = key.endsWith('parameters_attributes') ? ['parameters'] : [key.replace(/_attributes$/, '')]
  return [key, ...lists, ...parts].some((one) => keys.has(one))
}

/** Tells whether the list that would hold the key is empty. */
function isEmpty(key: string, keys: ReadonlySet<string>): boolean {
  return ![...keys].some((each) => each.startsWith(`${key}.`))
}

/** Lists the keys of the resource's records at the second port, in its list and of a single record. */
async function keysShown(
  resource: Resource,
  { ours, theirs, parent }: At,
): Promise<Record<string, ReadonlySet<string>>> {
  const { operations } = resource
  const record = operations.includes('create')
    ? await createWhole(resource, ours, parent)
    : (await api.ours.get(`${ours}?per_page=1`)).body.results[0]
  const place = resource.surface === 'content' ? 'organization_id=1' : ''
  const list = operations.includes('list') ? await api.theirs.get(`${theirs}?per_page=50&${place}`) : null
  const one = operations.includes('show') && record ? await api.theirs.get(`${theirs}/${record.id}?${place}`) : null
  for (const answer of [list, one]) if (answer) expect([theirs, answer.status]).toEqual([theirs, 200])
  return {
    ...(list && { list: new Set<string>(list.body.results.flatMap(pathsIn)) }),
    ...(one && { show: new Set(pathsIn(one.body)) }),
  }
}

/** Creates a record with every possible link, so that linked records are shown; refused links are left out. */
async function createWhole(resource: Resource, path: string, parent: Body): Promise<Shown> {
  const least = await leastBody(api.ours, resource.name, parent)
  const body: Body = { ...least, ...parent, ...OWN[resource.name] }
  const links: Record<string, unknown> = {}
  for (const { name, field, at } of resource.placed) {
    const target = field.refersTo?.resource
    const [key] = Object.keys(field.writable(at))
    if (!target || !key?.includes('_id') || key in body || !resourceNamed(target).operations.includes('create'))
      continue
    if (resourceNamed(target).nestedOnly || target === resource.name) continue
    const { id } = await given(api.ours, target, sharedBy(target))
    links[key] = key.endsWith('_ids') ? [id] : id
    if (name === 'organizations' || name === 'locations') links[key] = [1]
  }
  for (;;) {
    const made = await api.ours.post(path, wrapped(resource, { ...links, ...body }))
    if (made.status < 300) return made.body
    const last = Object.keys(links).at(-1)
    if (last === undefined) throw new Error(`${path} is refused: ${made.text}`)
    const refused = Object.keys(made.body?.error?.errors ?? made.body?.errors ?? {}).find((key) => key in links)
    delete links[refused ?? last]
  }
}

/** Required keys of some resources. */
const OWN: Readonly<Record<string, Body>> = {
  ssh_key: { key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINGIAvd3/0Z3JLnt7sPKQYGWrsn7zXENOu1Fk4vY3C5E' },
}

/** Puts records into the default organization and location, where all linked records are. */
function sharedBy(name: string): Body {
  const { taxable } = resourceNamed(name)
  return taxable === true ? { organization_ids: [1], location_ids: [1] } : {}
}

test('every setting that a real server has is here, or has a reason, and each reason is needed', async () => {
  const { results } = (await api.theirs.get('/api/settings?per_page=all')).body
  const names = new Set(results.map(({ name }: Shown) => name))
  const missing = recordedSettings().filter((name) => !names.has(name))
  expect(missing.filter((name) => !MISSING_SETTINGS.some(([about]) => about.test(name)))).toEqual([])
  expect(MISSING_SETTINGS.filter(([about]) => !missing.some((name) => about.test(name)))).toEqual([])
})

test('what is no list in the place of one is ignored, on every resource', async () => {
  const changed: unknown[] = []
  let tried = 0
  for (const resource of assembleResources().values()) {
    const lists = Object.entries(resource.writable)
      .filter(([key, { schema }]) => isList(schema()) && !LISTS_AS_TEXT.includes(key))
      .map(([key]) => key)
    if (lists.length === 0 || resource.nestedOnly || !resource.operations.includes('create')) continue
    if (!resource.operations.includes('update')) continue
    tried += 1
    const { id } = await given(api.ours, resource.name)
    const [path = ''] = toVendorPaths(pathOf(resource))
    const url = `${path}/${id}`
    const shown = async () => {
      const { updated_at, ...record } = (await api.theirs.get(url)).body
      return record
    }
    const before = await shown()
    for (const value of ['', 'x', 5, {}]) {
      const sent = lists.filter((key) => typeof value !== 'object' || !key.endsWith('_attributes'))
      const keys = Object.fromEntries(sent.map((key) => [translateName('theirs', key), value]))
      const body = resource.surface === 'content' ? keys : { [translateName('theirs', resource.word)]: keys }
      const { status, text } = await api.theirs.put(url, body)
      if (status !== 200) changed.push([url, value, text])
    }
    expect([url, await shown()]).toEqual([url, before])
  }
  expect(changed).toEqual([])
  expect(tried).toBeGreaterThan(25)
})

function isList(schema: z.ZodType): boolean {
  const { type, innerType } = definitionOf(schema)
  return type === 'array' || (innerType !== undefined && isList(innerType))
}

test('how a repository is to be fetched is kept, but for secrets, which are refused', async () => {
  const product = await given(api.ours, 'product')
  const sent = { name: 'fetched', product_id: product.id, content_type: 'yum' }
  const told = {
    checksum_type: 'sha256',
    upstream_username: 'reader',
    verify_ssl_on_sync: false,
    mirror_on_sync: false,
  }
  const made = await api.theirs.post('/katello/api/repositories', { ...sent, ...told })
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ ...told, mirroring_policy: 'additive' })])
  const url = `/katello/api/repositories/${made.body.id}`
  const mirrored = await api.theirs.put(url, { mirror_on_sync: true, upstream_password: '' })
  expect(mirrored.body).toMatchObject({ mirror_on_sync: true, mirroring_policy: 'mirror_content_only' })
  for (const [key, value] of [
    ['upstream_password', 'of another server'],
    ['ansible_collection_auth_token', 'of another server'],
    ['mirror_on_sync', 'perhaps'],
  ] as const) {
    const { status, body, text } = await api.theirs.put(url, { [key]: value })
    expect([status, Object.keys(body.errors)]).toEqual([422, [key]])
    expect(text).not.toContain('of another server')
  }
  const both = await api.theirs.put(url, { mirror_on_sync: true, mirroring_policy: 'additive' })
  expect(both.body).toMatchObject({ mirror_on_sync: false, mirroring_policy: 'additive' })
})

test('a repository has every key and type that typed clients read', async () => {
  const product = await given(api.ours, 'product')
  const { id } = await given(api.ours, 'repository', { product_id: product.id, content_type: 'yum' })
  const { body } = await api.theirs.get(`/katello/api/repositories/${id}`)
  expect(body).toMatchObject({
    ...{ ignorable_content: null, docker_tags_whitelist: null, os_versions: [], http_proxy: null },
    ...{ ssl_ca_cert: null, ssl_client_cert: null, ssl_client_key: null, ansible_collection_auth_token: null },
    ...{ library_instance_id: null, promoted: false, product_type: 'custom', upstream_password_exists: false },
    content_view_environments: [{ content_view_name: 'Default Organization View', environment_name: 'Library' }],
    content_counts: { rpm: 0, srpm: 0, erratum: 0, deb: 0, docker_tag: 0, file: 0, ansible_collection: 0 },
  })
  const changed = await api.theirs.put(`/katello/api/repositories/${id}`, body)
  expect([changed.status, changed.body.ignorable_content]).toEqual([200, null])
})
