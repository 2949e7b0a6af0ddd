import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Templates and partition tables of a running server (measured.md, Templates), at the second port, beyond templates.test.ts
// and test/api/partition-tables.test.ts.

const places = { organization_ids: [1], location_ids: [1] }
let api: BothListeners
let host: Shown
beforeAll(async () => {
  api = await openBothListeners()
  const subnet = await given(api.ours, 'subnet', {
    name: 'lan',
    network: '192.0.2.0',
    mask: '255.255.255.0',
    ...places,
  })
  host = await given(api.ours, 'host', {
    ...{ name: 'one.example.test', managed: false, organization_id: 1, location_id: 1 },
    interfaces_attributes: [{ identifier: 'eth0', primary: true, ip: '192.0.2.7', subnet_id: subnet.id }],
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('templates have', () => {
  test.each([
    ['interface.subnet', '<% @host.interfaces.each do |i| %><%= i.subnet %><% end %>', 'lan (192.0.2.0/24)'],
    ['save_to_file', "<%= save_to_file('/tmp/x', 'a') %>", expect.stringContaining('/tmp/x')],
    ['shell_escape', "<%= shell_escape('a b') %>", 'a\\ b'],
    ['to_json', '<%= to_json({ "a" => [1] }) %>', '{\n  "a": [\n    1\n  ]\n}'],
    ['parse_json', '<%= parse_json(\'{"a": 1}\')["a"] %>', '1'],
    ['to_yaml', '<%= to_yaml({ "a" => 1 }) %>', '---\na: 1\n'],
    ['parse_yaml', "<%= parse_yaml('a: 1')['a'] %>", '1'],
    ['gem_version_compare', "<%= gem_version_compare('1.10', '1.9') %>", '1'],
    ['current_date', "<%= current_date(format: '%Y').to_i > 2000 %>", 'true'],
    ['rescue', '<% begin %><%= raise "x" %><% rescue => e %>saved<% end %>', 'saved'],
    ['heredocs', '<% text = <<~EOS\n  a\n  b\nEOS\n%><%= text %>', 'a\nb\n'],
  ])('%s', async (name, template, expected) => {
    await expectCreated(
      api.theirs.post('/api/provisioning_templates', {
        provisioning_template: { name, template, snippet: true, ...places },
      }),
    )
    const { status, body, text } = await api.ours.post(`/api/hosts/${host.id}/render`, { template })
    expect([status, body.template ?? text]).toEqual([200, expected])
  })
})

describe('partition tables', () => {
  const path = '/api/ptables'
  let table: Shown
  beforeAll(async () => {
    const ptable = { name: 'first', layout: 'one', os_family: 'Debian', ...places }
    table = await expectCreated(api.theirs.post(path, { ptable }))
  })

  test('are copied', async () => {
    const copy = await expectCreated(api.theirs.post(`${path}/${table.id}/clone`, { ptable: { name: 'second' } }))
    expect(copy).toMatchObject({ name: 'second', layout: 'one', os_family: 'Debian', cloned_from_id: table.id })
  })

  test('are written as files and read from files', async () => {
    const { status, text } = await api.theirs.get(`${path}/${table.id}/export`)
    expect([status, text]).toEqual([200, expect.stringContaining('model: Ptable')])
    const ptable = { name: 'third', template: text }
    expect(await api.theirs.post(`${path}/import`, { ptable })).toMatchObject({ body: { name: 'third' } })
  })

  test('are shown as one of their audits left them', async () => {
    await api.theirs.put(`${path}/${table.id}`, { ptable: { layout: 'two' } })
    const search = new URLSearchParams({ search: `auditable_id = ${table.id} and type = ptable`, order: 'id ASC' })
    const { results } = (await api.theirs.get(`/api/audits?${search}`)).body
    const [created] = results
    expect((await api.theirs.get(`${path}/revision?version=${created.id}`)).text).toContain('one')
    await api.theirs.put(`${path}/${table.id}`, { ptable: { layout: 'one' } })
  })

  test('are taken by the hosts and groups that they name', async () => {
    const group = await given(api.ours, 'hostgroup', places)
    const ptable = { host_ids: [host.id], hostgroup_ids: [group.id] }
    expect((await api.theirs.put(`${path}/${table.id}`, { ptable })).status).toBe(200)
    for (const taking of [`hosts/${host.id}`, `hostgroups/${group.id}`])
      expect((await api.theirs.get(`/api/${taking}`)).body.ptable_id).toBe(table.id)
  })

  test('that are snippets are of no family', async () => {
    const ptable = { name: 'part', layout: 'x', snippet: true, os_family: 'Debian', ...places }
    const { status, body } = await api.theirs.post(path, { ptable })
    expect([status, body.error.errors]).toEqual([422, { os_family: ['must be blank'] }])
  })
})
