import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Report templates and inventories of playbooks (newer-clients §2g), as the inventory plugin and the command line use them.

let api: TestApi
let vendor: Caller
let hosts: readonly Shown[]

const HERE = { organization_ids: [1], location_ids: [1] }
const INVENTORY = 'Ansible - Ansible Inventory'

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  vendor = api.asVendor({ authorization: basic('admin', 'admin-password') })
  const domain = await given(api.admin, 'domain', { name: 'lab.test', ...HERE })
  const subnet = await given(api.admin, 'subnet', { name: 'lab', network: '192.0.2.0', mask: '255.255.255.0', ...HERE })
  const parent = await given(api.admin, 'hostgroup', { name: 'fleet', ...HERE })
  const group = await given(api.admin, 'hostgroup', { name: 'web', parent_id: parent.id, ...HERE })
  const [view] = (await api.admin.get('/content/api/content_views?organization_id=1')).body.results
  const [environment] = (await api.admin.get('/content/api/organizations/1/environments')).body.results
  const make = (name: string, more: object) =>
    given(api.admin, 'host', {
      ...{ name, domain_id: domain.id, organization_id: 1, location_id: 1, managed: false, ...more },
    })
  hosts = [
    await make('web1', {
      ...{ hostgroup_id: group.id, ip: '192.0.2.11', subnet_id: subnet.id, comment: '=1+1, "two"' },
      content_facet_attributes: { content_view_id: view.id, lifecycle_environment_id: environment.id },
      host_parameters_attributes: [
        { name: 'ports', value: '[80, 443]', parameter_type: 'json' },
        { name: 'ratio', value: '2.0', parameter_type: 'real' },
        { name: 'password', value: 'sesame', hidden_value: true },
      ],
    }),
    await make('web2', {}),
  ]
  const collection = await given(api.admin, 'host_collection', { name: 'fleet', organization_id: 1 })
  await api.admin.put(`/content/api/host_collections/${collection.id}/add_hosts`, { host_ids: [hosts[0]?.id] })
  await api.admin.post('/api/hosts/facts', {
    name: 'web1.lab.test',
    facts: { kernel: 'Linux', os: { name: 'Debian' } },
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function fetchInventory(caller: Caller, input_values: object): Promise<Readonly<Record<string, unknown>>[]> {
  const { status, body } = await caller.post('/ansible/api/v2/ansible_inventories/schedule', { input_values })
  expect([status, body]).toEqual([200, { job_id: expect.any(String), data_url: expect.any(String) }])
  // The plugin puts a slash between, and decodes twice.
  return JSON.parse((await caller.get(`/${body.data_url}`)).body)
}

describe('an inventory', () => {
  test('has all that the plugin asks for, by its path and encoded twice', async () => {
    const yes = 'Organization Location IPv4 IPv6 Subnet Facts'.split(' ')
    const more = [
      'Host Group',
      'Host Collections',
      'Host Parameters',
      'Subnet v6',
      'Smart Proxies',
      'Content Attributes',
    ]
    const wish = Object.fromEntries([...yes, ...more].map((name) => [name, 'yes']))
    const [first, second, ...others] = await fetchInventory(vendor, wish)
    expect(others).toEqual([])
    expect(first).toEqual({
      id: hosts[0]?.id,
      name: 'web1.lab.test',
      organization: 'Default Organization',
      location: 'Default Location',
      host_group: 'fleet/web',
      host_collections: ['fleet'],
      host_parameters: { ports: [80, 443], ratio: 2, password: 'sesame' },
      ...{ ipv4: '192.0.2.11', ipv6: null, subnet: 'lab (192.0.2.0/24)', subnet6: null, smart_proxies: [] },
      content_attributes: expect.objectContaining({
        content_view_name: 'Default Organization View',
        lifecycle_environment_name: 'Library',
      }),
      facts: { kernel: 'Linux', os: null, 'os::name': 'Debian' },
    })
    expect(second).toMatchObject({
      name: 'web2.lab.test',
      host_group: null,
      host_parameters: {},
      content_attributes: null,
      facts: {},
    })
  })

  test('is made of the list of hosts as well, which has their content', async () => {
    const { results } = (await vendor.get('/api/v2/hosts?search=name=web1.lab.test')).body
    expect(results).toMatchObject([
      {
        content_facet_attributes: {
          content_view_name: 'Default Organization View',
          lifecycle_environment_name: 'Library',
        },
      },
    ])
    expect(results[0]).toHaveProperty('subscription_facet_attributes')
    const [thin] = (await vendor.get('/api/v2/hosts?search=name=web1.lab.test&thin=true')).body.results
    expect(Object.keys(thin)).not.toContain('content_facet_attributes')
  })

  test('has the hosts that are searched for, and no more than is asked for', async () => {
    const no = Object.fromEntries(['Organization', 'Location', 'Host Parameters', 'Facts'].map((name) => [name, 'no']))
    const [only, ...others] = await fetchInventory(vendor, { ...no, Hosts: 'name ~ web2' })
    expect(others).toEqual([])
    expect(Object.keys(only ?? {})).not.toEqual(expect.arrayContaining(['organization', 'host_parameters', 'facts']))
    expect(only).toMatchObject({ name: 'web2.lab.test' })
    const { body } = await vendor.post('/ansible/api/v2/ansible_inventories/schedule', {
      input_values: { Hosts: '= (' },
    })
    expect((await vendor.get(body.data_url)).status).toBe(400)
  })

  test('shows what its caller may see, to the caller alone', async () => {
    const user = await api.can(['view_hosts'], HERE)
    const caller = api.asVendor(user)
    const [first] = await fetchInventory(caller, { 'Host Parameters': 'yes', Facts: 'yes' })
    expect(first).toMatchObject({ name: 'web1.lab.test', host_parameters: {}, facts: {} })
    const viewer = api.asVendor(await api.can(['view_hosts', 'view_params'], HERE))
    const [seen] = await fetchInventory(viewer, { 'Host Parameters': 'yes' })
    expect(seen).toMatchObject({ host_parameters: { password: '*****' } })
    const { body } = await vendor.post('/ansible/api/v2/ansible_inventories/schedule', {})
    expect((await caller.get(body.data_url)).status).toBe(404)
    const elsewhere = api.asVendor(await api.can(['view_hosts'], { organization_ids: [], location_ids: [] }))
    expect(await fetchInventory(elsewhere, {})).toEqual([])
    expect(
      (
        await api
          .asVendor(await api.can(['view_domains'], HERE))
          .post('/ansible/api/v2/ansible_inventories/schedule', {})
      ).status,
    ).toBe(403)
  })

  test('is one of hosts or of groups by their ids, too', async () => {
    const [one] = hosts
    const expected = {
      all: { hosts: ['web1.lab.test'], vars: {} },
      _meta: { hostvars: { 'web1.lab.test': { ports: [80, 443], ratio: 2, foreman: { ipv4: '192.0.2.11' } } } },
    }
    const path = '/ansible/api/ansible_inventories'
    expect((await vendor.get(`${path}/hosts?host_ids[]=${one?.id}`)).body).toMatchObject(expected)
    expect((await vendor.post(`${path}/hosts`, { host_ids: [one?.id] })).body).toMatchObject(expected)
    expect((await vendor.get(`${path}/hostgroups?hostgroup_ids[]=${one?.hostgroup_id}`)).body).toMatchObject(expected)
    expect((await vendor.get(`${path}/hosts?host_ids[]=x`)).status).toBe(400)
    expect((await vendor.post(`${path}/schedule`, { input_values: 'x' })).status).toBe(422)
  })

  test('of 5,000 hosts with parameters and facts takes one statement', async () => {
    await storeFleet(5000)
    await fetchInventory(vendor, { Hosts: 'name = nothing' })
    const wish = { Hosts: 'name ~ fleet', 'Host Parameters': 'yes', Facts: 'yes' }
    const { body } = await vendor.post('/ansible/api/v2/ansible_inventories/schedule', { input_values: wish })
    const begun = performance.now()
    const { result, texts } = await api.counting(() => vendor.get(body.data_url))
    const taken = performance.now() - begun
    console.log(`an inventory of 5,000 hosts took ${Math.round(taken)} ms`)
    const found = JSON.parse(result.body)
    expect(found).toHaveLength(5000)
    expect(found[7]).toMatchObject({ host_parameters: { rack: expect.any(String) }, facts: { fact_1: 'value' } })
    expect(texts.filter((text) => text.includes('listed as materialized'))).toHaveLength(1)
    // It takes half a second where nothing else runs; one statement for each host would take a minute.
    expect(taken).toBeLessThan(5000)
  })
})

describe('report templates', () => {
  const REPORT = `<%#
template_inputs:
- name: hosts
  required: true
-%>
<%- report_headers 'Name', 'Group', 'Comment' -%>
<%- load_hosts(search: input('hosts'), includes: :host_statuses).each_record do |host| -%>
<%-   report_row('Name': host.name, 'Group': host.hostgroup, 'Comment': host.comment) -%>
<%- end -%>
<%= report_render -%>
`

  test('are kept like other templates', async () => {
    const { id } = await expectCreated(
      vendor.post('/api/v2/report_templates', { report_template: { name: 'Hosts', template: REPORT, ...HERE } }),
    )
    expect((await vendor.get(`/api/report_templates/${id}`)).body).toMatchObject({
      name: 'Hosts',
      template: REPORT,
      locked: false,
      organizations: [{ id: 1 }],
    })
    const copy = await expectCreated(
      vendor.post(`/api/report_templates/${id}/clone`, { report_template: { name: 'Copy' } }),
    )
    expect(copy).toMatchObject({ name: 'Copy', template: REPORT })
    const { text } = await vendor.get(`/api/report_templates/${copy.id}/export`)
    expect(text).toMatch(/^<%#\nname: Copy\n.*model: ReportTemplate.*template_inputs:/s)
    const imported = await vendor.post('/api/report_templates/import', {
      report_template: { name: 'Other', template: text },
    })
    expect(imported).toMatchObject({ status: 201, body: { name: 'Other' } })
    expect((await vendor.delete(`/api/report_templates/${copy.id}`)).status).toBe(200)
    const [inventory] = (await vendor.get(`/api/report_templates?search=name="${INVENTORY}"`)).body.results
    expect((await vendor.delete(`/api/report_templates/${inventory.id}`)).status).toBe(422)
  })

  test('make reports in each format', async () => {
    const ask = (id: number, body: object) => vendor.post(`/api/report_templates/${id}/generate`, body)
    const { id } = await given(api.admin, 'report_template', { name: 'Formats', template: REPORT, ...HERE })
    const input_values = { hosts: 'name ~ web' }
    const csv = await ask(id, { input_values })
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="Formats-[\d-]+\.csv"$/)
    expect(csv.text).toBe(`Name,Group,Comment\nweb1.lab.test,fleet/web,"'=1+1, ""two"""\nweb2.lab.test,,\n`)
    const rows = [
      { Name: 'web1.lab.test', Group: 'fleet/web', Comment: '=1+1, "two"' },
      { Name: 'web2.lab.test', Group: null, Comment: '' },
    ]
    expect((await ask(id, { input_values, report_format: 'json' })).body).toEqual(rows)
    expect((await ask(id, { input_values, report_format: 'yaml' })).text).toContain(
      '- Name: web1.lab.test\n  Group: fleet/web\n',
    )
    expect((await ask(id, { input_values, report_format: 'html' })).text).toContain('<td>=1+1, &quot;two&quot;</td>')
    expect((await ask(id, { input_values, gzip: true })).headers['content-type']).toBe('application/gzip')
    const { body } = await vendor.post(`/api/report_templates/${id}/schedule_report`, {
      input_values,
      report_format: 'json',
    })
    expect(JSON.parse((await vendor.get(body.data_url)).body)).toEqual(rows)
    const later = { input_values, generate_at: new Date(Date.now() + 86_400_000).toISOString() }
    const { body: job } = await vendor.post(`/api/report_templates/${id}/schedule_report`, later)
    expect((await vendor.get(job.data_url)).status).toBe(204)
  })

  test.each([
    [
      'sorts',
      `<% load_users.each_record do |u| report_row(login: u.login) end %><%= report_render(order: 'login', reverse_order: true) %>`,
      /^login\n.*admin\n$/s,
    ],
    [
      'reads others',
      `<% load_host_groups(search: 'name = web').each_record do |g| %><%= g.title %> <%= g.parent.name %><% end %>`,
      /^fleet\/web fleet$/,
    ],
    [
      'counts at once',
      `<%= load_hosts(search: 'name ~ web').count %> <%= load_hosts(limit: 1).map { |h| h.name }.join %>`,
      /^2 web1.lab.test$/,
    ],
    [
      'reads statuses',
      `<% load_hosts(search: 'name = web1.lab.test').each_record do |h| %><%= host_status(h, 'build') %>|<%= all_host_statuses_hash(h)['Build'] %><% end %>`,
      /^Installed\|Installed$/,
    ],
    [
      'reads facts and parameters',
      `<% load_hosts(search: 'name = web1.lab.test').each_record do |h| %><%= h.facts['kernel'] %> <%= h.host_param('ports').length %> <%= host_content_facet(h).content_view_name %><% end %>`,
      /^Linux 2 Default Organization View$/,
    ],
    ['leaves a loop', `<% load_hosts.each_record do |h| %><%= h.name %><% break %><% end %>.`, /^web1.lab.test\.$/],
  ])('a template that %s', async (name, template, expected) => {
    const { id } = await given(api.admin, 'report_template', { name, template, ...HERE })
    const { status, text } = await vendor.post(`/api/report_templates/${id}/generate`, {})
    expect([status, text]).toEqual([200, expect.stringMatching(expected)])
  })

  test.each([
    ['never ends', '\n<% loop do %><% end %>', /line 2: took more than \d+ steps/],
    ['loads everything at once', '\n\n<%= load_hosts.to_a.length %>', /line 3: loads more than 5000 records at once/],
    [
      'reads what is not there',
      '<% load_hosts.each_record do |h| %>\n<%= h.wishes %><% end %>',
      /line 2: undefined method 'wishes' for host/,
    ],
    ['fails', "\n<% raise 'no' %>", /line 2: no/],
    ['searches for nonsense', `<% load_hosts(search: 'wishes = 1').each_record do |h| %><% end %>`, /wishes/],
    ['has no such input', `<%= input('a') %>`, /line 1: there is no input 'a'/],
  ])('a template that %s says so', async (name, template, message) => {
    await storeFleet(5000)
    const { id } = await given(api.admin, 'report_template', { name, template, ...HERE })
    const { status, text } = await vendor.post(`/api/report_templates/${id}/generate`, {})
    expect([status < 500 && status >= 400, text]).toEqual([true, expect.stringMatching(message)])
  })

  test('refuse what cannot be', async () => {
    const { id } = await given(api.admin, 'report_template', { name: 'Refusing', template: REPORT, ...HERE })
    const refused = async (body: object, action = 'generate') => {
      const { status, body: answer } = await vendor.post(`/api/report_templates/${id}/${action}`, body)
      return [status, answer.error?.errors]
    }
    expect(await refused({})).toEqual([422, { input_values: ["hosts can't be blank"] }])
    expect(await refused({ report_format: 'pdf' })).toEqual([
      422,
      { report_format: ['must be one of csv, json, yaml, html'] },
    ])
    expect(await refused({ input_values: { hosts: 'a' }, mail_to: 'a@b.test' }, 'schedule_report')).toMatchObject([
      422,
      { mail_to: expect.anything() },
    ])
    const stored = await vendor.post('/api/report_templates', {
      report_template: { name: 'x', template: '\n<% load_errata_applications %>' },
    })
    expect([stored.status, stored.text]).toEqual([
      422,
      expect.stringContaining('line 2: load_errata_applications is not offered'),
    ])
    expect((await vendor.get(`/api/report_templates/${id}/report_data/x`)).status).toBe(404)
    const viewer = api.asVendor(await api.can(['view_report_templates'], HERE))
    expect((await viewer.post(`/api/report_templates/${id}/generate`, {})).status).toBe(403)
    const blind = api.asVendor(await api.can(['view_report_templates', 'generate_report_templates'], HERE))
    const { status, text } = await blind.post(`/api/report_templates/${id}/generate`, {
      input_values: { hosts: 'name ~ web' },
    })
    expect([status, text]).toEqual([422, expect.stringContaining('missing the permission view_hosts')])
  })

  test('show of a linked record only its name to those who may not view it', async () => {
    const template = `<% load_hosts(search: 'name ~ web1').each_record do |h|
      report_row(group: h.hostgroup, subnet: h.subnet.name, network: h.subnet.network, owner: h.owner.name, mail: h.owner.mail)
    end %><%= report_render(format: :json) %>`
    const { id } = await given(api.admin, 'report_template', { name: 'Links', template, ...HERE })
    const owner = await given(api.admin, 'user', { mail: 'owner@lab.test', ...HERE })
    await api.admin.put(`/api/hosts/${hosts[0]?.id}`, { owner_id: owner.id, owner_type: 'User' })
    const report = async (...further: string[]) => {
      const caller = api.asVendor(await api.can(['view_hosts', 'generate_report_templates', ...further], HERE))
      return JSON.parse((await caller.post(`/api/report_templates/${id}/generate`, {})).text)
    }
    const names = { subnet: 'lab', owner: owner.login }
    expect(await report()).toMatchObject([{ ...names, network: null, mail: null }])
    expect(await report('view_subnets')).toMatchObject([{ ...names, network: '192.0.2.0', mail: null }])
    expect(await report('view_users')).toMatchObject([{ ...names, network: null, mail: 'owner@lab.test' }])
  })

  test('refuse values that are no text, and end the request alone when they fail late', async () => {
    const many = '<%- 5000.times do |i| -%><%- report_row(a: i) -%><%- end -%>'
    const late = `${many.repeat(4)}<%= report_render(order: 'a') %>`
    const { id } = await given(api.admin, 'report_template', { name: 'Late', template: late, ...HERE })
    const sent = vendor.post(`/api/report_templates/${id}/generate`, { gzip: true })
    await sent.catch(() => undefined) // the connection ends in the middle of the file
    const become = (template: string) => api.admin.put(`/api/report_templates/${id}`, { template })
    const answered = async (path: string, body: object) => {
      const { status, text } = await vendor.post(path, body)
      return [status, text]
    }
    const generated = (body: object = {}) => answered(`/api/report_templates/${id}/generate`, body)
    await become('<% report_row(a: 1) %><%= report_render * 3 %>')
    expect(await generated()).toEqual([422, expect.stringContaining('report_render can stand in a report once')])
    await become("<% load_hosts(limit: 'few').each_record do |h| report_row(a: h.name) end %><%= report_render %>")
    expect(await generated()).toEqual([422, expect.stringContaining('limit must be a whole number')])
    await become('<% load_hosts(search: 7).each_record do |h| report_row(a: h.name) end %><%= report_render %>')
    expect(await generated()).toEqual([422, expect.stringContaining('search must be text')])
    await become("<%#\ntemplate_inputs:\n- name: hosts\n%><%= input('hosts') %>")
    const wrong = [{ hosts: '\0' }, { hosts: ['a'] }, { '\ud800': 'a' }]
    for (const input_values of wrong.slice(0, 2)) expect((await generated({ input_values }))[0]).toBe(422)
    const schedule = `/api/report_templates/${id}/schedule_report`
    for (const input_values of wrong) expect((await answered(schedule, { input_values }))[0]).toBe(422)
    for (const generate_at of ['0000-01-01T00:00:00Z', '9999-12-31T00:00:00Z'])
      expect(await answered(schedule, { generate_at })).toEqual([422, expect.stringContaining('within a year')])
    const inventory = '/ansible/api/v2/ansible_inventories/schedule'
    expect((await answered(inventory, { input_values: { Hosts: '\0' } }))[0]).toBe(422)
    const odd = [{ toString: 1 }]
    expect((await answered('/ansible/api/ansible_inventories/hosts', { host_ids: odd }))[0]).toBe(400)
    const bulk = await vendor.put('/api/hosts/bulk/build', { included: { ids: [true] } })
    expect(bulk.status).toBe(400)
  })

  test('of many rows are sent while they are made', async () => {
    await storeFleet(5400)
    const template = `<% load_hosts.each_record do |h| report_row(id: h.id, name: h.name) end %>\n<%= report_render %>`
    const { id } = await given(api.admin, 'report_template', { name: 'Large', template, ...HERE })
    const { text } = await vendor.post(`/api/report_templates/${id}/generate`, {})
    expect(text.split('\n')).toHaveLength(5402 + 2)
    const ordered = template.replace('report_render', "report_render(order: 'name')")
    await api.admin.put(`/api/report_templates/${id}`, { template: ordered })
    expect((await vendor.post(`/api/report_templates/${id}/generate`, {})).text).toMatch(
      /line 2: a report of more than \d+ rows is sent while it is made: it cannot be ordered/,
    )
  })
})

let fleet = 0

/** Stores hosts with a parameter and facts each, until there are so many. */
async function storeFleet(count: number): Promise<void> {
  if (fleet >= count) return
  await rows(
    api.database.db,
    sql`with made as (insert into hosts (name, organization_id, location_id) select 'fleet' || n || '.lab.test', 1, 1
        from generate_series(${fleet + 1}::int, ${count}::int) n returning id),
      nic as (insert into interfaces (host_id, "primary", provision, managed) select id, true, true, false from made),
      wish as (insert into parameters (host_id, name, value, parameter_type) select id, 'rack', '"r1"', 'string' from made),
      names as (insert into fact_names (name) select 'fact_' || n from generate_series(1, 10) n on conflict do nothing returning id, name)
      insert into fact_values (host_id, fact_name_id, value) select made.id, names.id, 'value' from made, names where ${count}::int <= 5000`,
  )
  await rows(api.database.db, sql`analyze`)
  fleet = count
}
