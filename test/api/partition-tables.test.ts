import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// Core-api §11: partition tables are templates, which hosts and host groups use.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const place = { organization_ids: [1], location_ids: [1] }

describe('partition tables', () => {
  test('are copied, written as files, and read from files', async () => {
    const system = await given(api.admin, 'operatingsystem')
    const original = await given(api.admin, 'ptable', {
      ...place,
      layout: 'zerombr <%= @host.name %>',
      os_family: 'Redhat',
      operatingsystem_ids: [system.id],
      locked: true,
    })
    const copy = await expectCreated(
      api.admin.post(`/api/ptables/${original.id}/clone`, { ptable: { name: 'A copy' } }),
    )
    expect(copy).toMatchObject({ name: 'A copy', layout: original.layout, locked: false, cloned_from_id: original.id })
    expect((await api.admin.get(`/api/ptables/${copy.id}`)).body).toMatchObject({
      os_family: 'Redhat',
      cloned_from_id: original.id,
      operatingsystems: [{ id: system.id }],
      organizations: [{ id: 1 }],
    })
    const { text: file } = await api.admin.get(`/api/ptables/${copy.id}/export`)
    expect(file).toMatch(/^<%#\nname: A copy\n.*model: Ptable\n.*-%>\nzerombr /s)
    const imported = await expectCreated(
      api.admin.post('/api/ptables/import', { ptable: { template: file.replace('A copy', 'Another') } }),
    )
    expect(imported).toMatchObject({ name: 'Another', layout: expect.stringContaining('name: Another') })
    expect((await api.admin.delete(`/api/ptables/${original.id}`)).status).toBe(422)
    await api.admin.put(`/api/ptables/${original.id}`, { locked: false })
    expect((await api.admin.delete(`/api/ptables/${original.id}`)).status).toBe(200)
    expect((await api.admin.get(`/api/ptables/${copy.id}`)).body.cloned_from_id).toBeNull()
    const viewer = await api.can(['view_ptables'], place)
    expect((await viewer.post(`/api/ptables/${copy.id}/clone`, { name: 'x' })).status).toBe(403)
  })

  test('are taken by the hosts and groups that they name, as far as the caller may change those', async () => {
    const [one, two] = [await given(api.admin, 'hostgroup', place), await given(api.admin, 'hostgroup', place)]
    const host = await given(api.admin, 'host', { organization_id: 1, location_id: 1, managed: false })
    const { id } = await given(api.admin, 'ptable', { ...place, hostgroup_ids: [one.id], host_ids: [host.id] })
    const taking = async (path: string) => (await api.admin.get(path)).body.ptable_id
    expect([await taking(`/api/hostgroups/${one.id}`), await taking(`/api/hosts/${host.id}`)]).toEqual([id, id])
    await api.admin.put(`/api/ptables/${id}`, { hostgroup_ids: [two.id], host_ids: null })
    expect(await taking(`/api/hostgroups/${one.id}`)).toBeNull()
    expect([await taking(`/api/hostgroups/${two.id}`), await taking(`/api/hosts/${host.id}`)]).toEqual([id, id])
    const editor = await api.can(['view_ptables', 'edit_ptables', 'view_hostgroups'], place)
    expect((await editor.put(`/api/ptables/${id}`, { hostgroup_ids: [] })).status).toBe(422)
    expect((await api.admin.put(`/api/ptables/${id}`, { hostgroup_ids: [999_999] })).status).toBe(422)
    expect(await taking(`/api/hostgroups/${two.id}`)).toBe(id)
  })

  test('that are snippets are for no family', async () => {
    const { status, body } = await api.admin.post('/api/ptables', {
      ptable: { name: 'part', layout: 'x', snippet: true, os_family: 'Debian' },
    })
    expect([status, body.error.errors]).toEqual([422, { os_family: ['must be blank'] }])
  })

  test('and templates are shown as each of their audits left them', async () => {
    for (const [name, text] of [
      ['ptable', 'layout'],
      ['provisioning_template', 'template'],
    ] as const) {
      const { id } = await given(api.admin, name, { ...place, [text]: 'first' })
      for (const change of [{ [text]: 'second' }, { description: 'other' }, { [text]: 'third' }])
        await api.admin.put(`/api/${name}s/${id}`, change)
      const search = encodeURIComponent(`type = ${name} and auditable_id = ${id}`)
      const { body } = await api.admin.get(`/api/audits?search=${search}&order=${encodeURIComponent('time asc')}`)
      const ids = body.results.map((audit: { id: number }) => audit.id).sort((a: number, b: number) => a - b)
      const texts = []
      for (const audit of ids) texts.push((await api.admin.get(`/api/${name}s/revision?version=${audit}`)).body)
      expect(texts).toEqual(['first', 'second', 'second', 'third'])
      const viewer = await api.can([`view_${name}s`], place)
      expect((await viewer.get(`/api/${name}s/revision?version=${ids[0]}`)).status).toBe(404)
      for (const [version, status] of [
        ['x', 400],
        ['', 400],
        ['999999', 404],
      ])
        expect((await api.admin.get(`/api/${name}s/revision?version=${version}`)).status).toBe(status)
    }
  })
})

test('hosts are listed below what they have, and groups as well', async () => {
  const domain = await given(api.admin, 'domain', place)
  const architecture = await given(api.admin, 'architecture')
  const model = await given(api.admin, 'model')
  const of = { domain_id: domain.id, architecture_id: architecture.id }
  const belonging = { organization_id: 1, location_id: 1, managed: false }
  const host = await given(api.admin, 'host', { ...of, ...belonging, model_id: model.id })
  await given(api.admin, 'host', belonging)
  const group = await given(api.admin, 'hostgroup', { ...of, ...place })
  for (const path of [`domains/${domain.id}`, `architectures/${architecture.id}`]) {
    expect((await api.admin.get(`/api/${path}/hosts`)).body.results).toMatchObject([{ id: host.id }])
    expect((await api.admin.get(`/api/${path}/hostgroups`)).body.results).toMatchObject([{ id: group.id }])
  }
  expect((await api.admin.get(`/api/domains/${domain.id}/interfaces`)).body.results).toHaveLength(1)
  expect((await api.admin.get(`/api/domains/${domain.id}`)).body.interfaces).toMatchObject([{ primary: true }])
  expect((await api.admin.get('/api/realms/999999/hosts')).status).toBe(404)
  const outsider = await api.can(['view_models', 'view_domains'], { organization_ids: [], location_ids: [] })
  for (const [caller, hosts_count] of [
    [api.admin, 1],
    [outsider, 0],
  ] as const)
    expect((await caller.get(`/api/models/${model.id}`)).body).toMatchObject({ hosts_count })
})
