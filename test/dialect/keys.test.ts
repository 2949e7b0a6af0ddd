import { afterAll, beforeAll, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { translateName } from '../../src/dialect/names.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { given, pathOf } from '../support/given.ts'
import { describedKeys } from './keys/described.ts'
import { MISSING } from './keys/missing.ts'
import { recordedKeys } from './keys/recorded.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Clients read what they are used to: each list and each record has the keys that were recorded of it, and those that can be
// written by the description. What is not there stands in a table, with the reason.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api[Symbol.asyncDispose]())

test('lists and records have the keys that clients know, but for those that have a reason, and each reason is needed', async () => {
  const known = Map.groupBy([...recordedKeys(), ...describedKeys()], ({ segment }) => segment)
  const missing = new Set<string>()
  const compared = new Set<string>()
  for (const resource of assembleResources().values()) {
    const segment = segmentOf(resource)
    const expected = known.get(segment)
    if (!expected || resource.nestedOnly) continue
    const shown = await keysShown(resource, segment)
    for (const [view, keys] of Object.entries(shown)) {
      compared.add(`${segment} ${view}`)
      for (const { key } of expected.filter((one) => one.view === view))
        if (!isShown(key, keys)) missing.add(`${segment} ${view} ${key}`)
    }
  }
  expect(compared.size).toBeGreaterThan(55)
  expect([...missing].filter((one) => !MISSING.some(([about]) => about.test(one)))).toEqual([])
  expect(MISSING.filter(([about]) => ![...missing].some((one) => about.test(one)))).toEqual([])
})

function segmentOf({ path }: Resource): string {
  const last = translateName('theirs', path.slice(path.lastIndexOf('/') + 1))
  return path.startsWith('/content/') ? `katello/${last}` : last
}

/** Links are written by ids and shown as records, parts are written as lists of their attributes. */
function isShown(key: string, keys: ReadonlySet<string>): boolean {
  const links = /^(.*)_ids?$/.exec(key)?.[1] ?? key
  const lists = [links, `${links}s`, `${links}es`, links.replace(/y$/, 'ies'), links.replace(/um$/, 'a')]
  const parts = key.endsWith('parameters_attributes') ? ['parameters'] : [key.replace(/_attributes$/, '')]
  return [key, ...lists, ...parts].some((one) => keys.has(one))
}

/** The keys of records of the resource at the second port, in its list and of one alone. */
async function keysShown(resource: Resource, segment: string): Promise<Record<string, ReadonlySet<string>>> {
  const { operations } = resource
  const ours = pathOf(resource)
  const record = operations.includes('create')
    ? await given(api.ours, resource.name)
    : (await api.ours.get(`${ours}?per_page=1`)).body.results[0]
  const path = `${ours.slice(0, ours.lastIndexOf('/'))}/${segment.replace('katello/', '')}`.replace(
    '/content/',
    '/katello/',
  )
  const place = resource.surface === 'content' ? 'organization_id=1' : ''
  const list = operations.includes('list') ? await api.theirs.get(`${path}?per_page=50&${place}`) : null
  const one = operations.includes('show') && record ? await api.theirs.get(`${path}/${record.id}?${place}`) : null
  for (const answer of [list, one]) if (answer) expect([path, answer.status]).toEqual([path, 200])
  return {
    ...(list && { list: new Set<string>(list.body.results.flatMap((each: object) => Object.keys(each))) }),
    ...(one && { show: new Set(Object.keys(one.body)) }),
  }
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
    ['ssl_client_key_id', 1],
    ['mirror_on_sync', 'perhaps'],
  ] as const) {
    const { status, body, text } = await api.theirs.put(url, { [key]: value })
    expect([status, Object.keys(body.errors)]).toEqual([422, [key]])
    expect(text).not.toContain('of another server')
  }
  const both = await api.theirs.put(url, { mirror_on_sync: true, mirroring_policy: 'additive' })
  expect([both.status, Object.keys(both.body.errors)]).toEqual([422, ['mirror_on_sync']])
})
