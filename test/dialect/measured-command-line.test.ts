import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { given, type Shown } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// What made command lines of existing servers fail (measured.md, hammer): the description from which they derive options,
// and their requests. test/acceptance/hammer runs the programs themselves.

interface Described {
  readonly name: string
  readonly required: boolean
  readonly params?: readonly Described[]
}

let api: BothListeners
let resources: Readonly<Record<string, { readonly methods: readonly Shown[] }>>
beforeAll(async () => {
  api = await openBothListeners()
  resources = (await api.stranger.get('/apidoc/v2.json')).body.docs.resources
})
afterAll(() => api?.[Symbol.asyncDispose]())

function parameters(resource: string, action: string, ...within: readonly string[]): readonly Described[] {
  const method = resources[resource]?.methods.find(({ name }) => name === action)
  expect({ resource, action, described: method !== undefined }).toEqual({ resource, action, described: true })
  return within.reduce<readonly Described[]>(
    (params, key) => params.find(({ name }) => name === key)?.params ?? [],
    method?.params,
  )
}
const names = (params: readonly Described[]) => params.map(({ name }) => name)

describe('described', () => {
  test('is the deletion of a repository without a place', () => {
    const taken = names(parameters('repositories', 'destroy'))
    expect(taken).toContain('id')
    expect(taken).not.toContain('organization_id')
    expect(taken).not.toContain('location_id')
  })

  test.each(['create', 'update'])('are content source and kickstart of groups and hosts (%s)', (action) => {
    const keys = ['content_source_id', 'kickstart_repository_id']
    expect(names(parameters('hostgroups', action, 'hostgroup'))).toEqual(expect.arrayContaining(keys))
    expect(names(parameters('hosts', action, 'host', 'content_facet_attributes'))).toEqual(expect.arrayContaining(keys))
  })

  test('are lists of keys with an organization, which is needed', () => {
    expect(parameters('activation_keys', 'index')).toContainEqual(
      expect.objectContaining({ name: 'organization_id', required: true }),
    )
  })

  test('is what hides a value without a question mark', () => {
    const taken = names(parameters('smart_class_parameters', 'update', 'smart_class_parameter'))
    expect(taken).toContain('hidden_value')
    expect(taken).not.toContain('hidden_value?')
  })

  test('is a default template whose kind need not be named', () => {
    expect(parameters('os_default_templates', 'create', 'os_default_template')).toContainEqual(
      expect.objectContaining({ name: 'template_kind_id', required: false }),
    )
  })

  test.each(['product_content', 'content_override', 'destroy'])('is %s of the subscriptions of a host', (action) => {
    expect(parameters('host_subscriptions', action)).toContainEqual(expect.objectContaining({ name: 'host_id' }))
  })
})

describe('answered', () => {
  test('are organizations of content with where that comes from, and deleted by a task', async () => {
    const { id, label } = await given(api.ours, 'organization')
    const { status, body } = await api.theirs.get(`/katello/api/organizations/${label}`)
    expect([status, typeof body.cdn_configuration]).toEqual([200, 'object'])
    const deleted = await api.theirs.delete(`/katello/api/organizations/${label}`)
    expect([deleted.status, deleted.body]).toEqual([
      202,
      expect.objectContaining({ label: 'Actions::Katello::Organization::Destroy', id: expect.any(String) }),
    ])
    expect(id).toEqual(expect.any(Number))
  })

  test('are links of a user group that are searched for by name', async () => {
    const { id } = await given(api.ours, 'usergroup')
    const path = `/api/usergroups/${id}/external_usergroups?${new URLSearchParams({ search: 'name="g"' })}`
    expect(await api.theirs.get(path)).toMatchObject({ status: 200, body: { results: [] } })
  })
})
