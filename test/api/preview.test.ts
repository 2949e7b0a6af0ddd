import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// `GET /api/hosts/:id/template/:kind`: which template a host takes (core-api §1.6), and what the template can read
// (smart-parameters §4.10).

let api: TestApi
let os: Shown
let parent: Shown
let group: Shown
let environment: Shown
let host: Shown

const HERE = { organization_ids: [1], location_ids: [1] }

beforeAll(async () => {
  api = await openTestApi()
  os = await given(api.admin, 'operatingsystem', { name: 'Debian', major: '12', minor: '7' })
  parent = await given(api.admin, 'hostgroup', { name: 'Base', ...HERE })
  group = await given(api.admin, 'hostgroup', { name: 'Web', parent_id: parent.id, ...HERE })
  environment = await given(api.admin, 'environment', { name: 'production', ...HERE })
  host = await newHost({ name: 'web1.example.test' })
})
afterAll(() => api?.[Symbol.asyncDispose]())

function newHost(overrides: object = {}): Promise<Shown> {
  const belongs = { hostgroup_id: group.id, environment_id: environment.id, operatingsystem_id: os.id }
  return given(api.admin, 'host', {
    ...{ name: `${unique('host')}.example.test`, organization_id: 1, location_id: 1, ...belongs },
    ...overrides,
  })
}

function newTemplate(overrides: object = {}): Promise<Shown> {
  return given(api.admin, 'provisioning_template', { operatingsystem_ids: [os.id], ...HERE, ...overrides })
}

const preview = (of: Shown = host, caller: Caller = api.admin, kind = 'provision') =>
  caller.get(`/api/hosts/${of.id}/template/${kind}`)

test('the names that a template can use are those that it renders', async () => {
  const { status, body } = await api.admin.get(`/api/hosts/${host.id}/template_names`)
  expect(status).toBe(200)
  expect(body.functions).toEqual(expect.arrayContaining(['snippet', 'host_param', 'rand_hex', 'to_json']))
  expect(body.variables).toContain('@host')
  const offered = body.members.find(({ of }: Shown) => of === '@host').names
  expect(offered).toEqual(expect.arrayContaining(['name', 'operatingsystem']))
  expect(body.members).toContainEqual({ of: '@host.operatingsystem', names: expect.arrayContaining(['family']) })
  // None of them is unknown to the sandbox; some fail for want of a value, or take arguments.
  const text = offered
    .map((name: string) => `<% begin %><%= @host.${name} %><% rescue => error %><%= error.message %><% end %>`)
    .join('\n')
  const { body: rendered } = await api.admin.post(`/api/hosts/${host.id}/render`, { template: text })
  expect(JSON.stringify(rendered)).not.toMatch(/undefined method/)
  expect((await (await api.can([])).get(`/api/hosts/${host.id}/template_names`)).status).toBe(403)
})

test('a text that is no template yet is rendered for those who may write templates, with what they see', async () => {
  const text = '<%= @host.name %>\n<%= @host.root_pass.length %>'
  const render = (caller: Caller, body: object) => caller.post(`/api/hosts/${host.id}/render`, body)
  await api.admin.put(`/api/hosts/${host.id}`, { host: { root_pass: 'a long password' } })
  const whole = await render(api.admin, { template: text })
  expect(whole.body.template).toMatch(/^web1\.example\.test\n\d{3}$/)
  const writer = await api.can(['view_hosts', 'edit_provisioning_templates'], HERE)
  expect(await render(writer, { template: text })).toMatchObject({
    status: 200,
    body: { template: 'web1.example.test\n5' },
  })
  const reader = await api.can(['view_hosts', 'view_provisioning_templates'], HERE)
  expect(await render(reader, { template: text })).toMatchObject({
    status: 403,
    body: { error: { missing_permissions: ['create_provisioning_templates', 'edit_provisioning_templates'] } },
  })
  const refused: [object, RegExp][] = [
    [{ template: 'a\n<%= nothing %>', name: 'New' }, /^New cannot be rendered: line 2: .*nothing/],
    [{ template: 'a\n<% if %>' }, /^the text cannot be rendered: line 2: /],
  ]
  for (const [body, message] of refused) {
    const { status, body: answer } = await render(api.admin, body)
    expect([status, answer.error.errors.template]).toEqual([422, [expect.stringMatching(message)]])
  }
  expect((await render(api.admin, {})).status).toBe(422)
  expect((await render(api.admin, { template: 'x'.repeat(200_001) })).status).toBe(422)
})

describe('a host takes', () => {
  let templates: Record<'both' | 'group' | 'environment' | 'default', Shown>

  beforeAll(async () => {
    const bound = (name: string, combination: object) =>
      newTemplate({ name, template: name, template_combinations_attributes: [combination] })
    templates = {
      both: await bound('both', { hostgroup_id: group.id, environment_id: environment.id }),
      group: await bound('group', { hostgroup_id: group.id }),
      environment: await bound('environment', { environment_id: environment.id }),
      default: await newTemplate({ name: 'default', template: 'default' }),
    }
    const body = { template_kind_name: 'provision', provisioning_template_id: templates.default.id }
    await expectCreated(api.admin.post(`/api/operatingsystems/${os.id}/os_default_templates`, body))
    // None of these fits the host: another kind, a host group above it, another environment, nothing at all.
    const other = await given(api.admin, 'environment', HERE)
    await bound('above', { hostgroup_id: parent.id })
    await bound('elsewhere', { hostgroup_id: group.id, environment_id: other.id })
    await bound('anywhere', {})
    await newTemplate({
      ...{ name: 'finish', template: 'finish', template_kind_name: 'finish' },
      template_combinations_attributes: [{ hostgroup_id: group.id, environment_id: environment.id }],
    })
  })

  const taken = async (of?: Shown) => (await preview(of)).body.template
  const change = (template: Shown, body: object) => api.admin.put(`/api/provisioning_templates/${template.id}`, body)

  test.each([
    ['its host group and environment', ['both']],
    ['its host group alone', ['both', 'group']],
    ['its environment alone', ['both', 'group', 'environment']],
  ] as const)('the template of %s before that of anything after it', async (_rule, steps) => {
    const without = steps.slice(0, -1)
    for (const step of without) await change(templates[step], { operatingsystem_ids: [] })
    expect(await taken()).toBe(steps.at(-1))
    for (const step of without) await change(templates[step], { operatingsystem_ids: [os.id] })
  })

  test('the default of its operating system when nothing is bound to it', async () => {
    expect(await taken(await newHost({ hostgroup_id: null, environment_id: null }))).toBe('default')
    expect(await taken(await newHost({ hostgroup_id: null }))).toBe('environment')
    expect(await taken(await newHost({ environment_id: null }))).toBe('group')
  })

  test('of two that fit equally the first by name', async () => {
    const combination = { hostgroup_id: group.id, environment_id: environment.id }
    const first = await newTemplate({ name: 'a', template: 'a', template_combinations_attributes: [combination] })
    expect(await taken()).toBe('a')
    await api.admin.delete(`/api/provisioning_templates/${first.id}`)
    expect(await taken()).toBe('both')
  })

  test('only what belongs to its organization and location, or above', async () => {
    const child = await given(api.admin, 'organization', { parent_id: 1 })
    const elsewhere = await given(api.admin, 'organization')
    const below = await newHost({ organization_id: child.id, hostgroup_id: null, environment_id: null })
    expect(await taken(below)).toBe('default')
    const out = await newHost({ organization_id: elsewhere.id, hostgroup_id: null, environment_id: null })
    expect(await preview(out)).toMatchObject({
      status: 404,
      body: {
        message: `No template with kind provision for ${out.name}: nothing is bound to its default of Debian 12.7; default does not belong to its organization`,
      },
    })
    await change(templates.default, { organization_ids: [child.id] })
    expect((await preview(await newHost({ hostgroup_id: null, environment_id: null }))).status).toBe(404)
    await change(templates.default, { organization_ids: [1] })
  })

  test('the kind that was asked for', async () => {
    expect((await preview(host, api.admin, 'finish')).body).toEqual({ template: 'finish' })
    expect(await preview(host, api.admin, 'PXELinux')).toMatchObject({
      status: 404,
      body: {
        message:
          'No template with kind PXELinux for web1.example.test: nothing is bound to its host group Base/Web with environment production, host group Base/Web, environment production, default of Debian 12.7',
      },
    })
    expect((await preview(host, api.admin, 'nothing')).body.message).toMatch(
      /^Template kind not found by id 'nothing': there are .*provision/,
    )
  })

  test('nothing without an operating system', async () => {
    const bare = await newHost({ operatingsystem_id: null })
    expect(await preview(bare)).toMatchObject({
      status: 404,
      body: { message: `No template with kind provision for ${bare.name}: it has no operating system` },
    })
  })

  test('nothing that is not for its operating system, and says so', async () => {
    const fedora = await given(api.admin, 'operatingsystem', { name: 'Fedora', major: '40' })
    const other = await newHost({ operatingsystem_id: fedora.id, environment_id: null })
    expect((await preview(other)).body.message).toMatch(/; group is not for Fedora 40$/)
  })
})

describe('a template', () => {
  let template: Shown
  let machine: Shown

  beforeAll(async () => {
    const own = await given(api.admin, 'hostgroup', { name: 'Rendered', ...HERE })
    const domain = await given(api.admin, 'domain', { name: 'lab.test', ...HERE })
    const subnet = await given(api.admin, 'subnet', {
      ...{ name: 'lab', network: '192.0.2.0', mask: '255.255.255.0', gateway: '192.0.2.1', vlanid: 7, ...HERE },
    })
    const ptable = await given(api.admin, 'ptable', {
      ...{ name: 'lvm', layout: 'part / --fstype=<%= host_param("fs") %>\r\n', operatingsystem_ids: [os.id], ...HERE },
    })
    const medium = await given(api.admin, 'medium', {
      ...{ name: 'mirror', path: 'http://mirror.lab.test/debian', operatingsystem_ids: [os.id], ...HERE },
    })
    const architecture = await given(api.admin, 'architecture', { name: 'riscv64', operatingsystem_ids: [os.id] })
    machine = await newHost({
      ...{
        name: 'node7',
        managed: true,
        domain_id: domain.id,
        subnet_id: subnet.id,
        ip: '192.0.2.7',
        mac: '02:00:00:00:00:07',
      },
      ...{ hostgroup_id: own.id, environment_id: null, root_pass: 'very secret', pxe_loader: 'Grub2 UEFI' },
      ...{ ptable_id: ptable.id, medium_id: medium.id, architecture_id: architecture.id },
      host_parameters_attributes: [
        { name: 'tier', value: 'gold' },
        { name: 'on', parameter_type: 'boolean', value: true },
        { name: 'off', value: 'no' },
        { name: 'ratio', parameter_type: 'real', value: '2.0' },
        { name: 'ports', parameter_type: 'array', value: [80, 443] },
        { name: 'fs', value: 'xfs' },
        { name: 'pin', value: 's3cret', hidden_value: true },
      ],
    })
    await api.admin.post('/api/hosts/facts', {
      name: machine.name,
      facts: {
        is_virtual: true,
        memory: { system: { total_bytes: 2 ** 31 } },
        processors: { count: 4, physicalcount: 2 },
      },
    })
    template = await newTemplate({ name: 'world', template_combinations_attributes: [{ hostgroup_id: own.id }] })
  })

  const put = (text: string) => api.admin.put(`/api/provisioning_templates/${template.id}`, { template: text })

  async function rendered(text: string, caller: Caller = api.admin): Promise<string> {
    expect((await put(text)).status).toBe(200)
    const { status, body } = await preview(machine, caller)
    return status === 200 ? body.template : body
  }

  test.each([
    ['<%= @host.name %> <%= @host.shortname %> <%= @host %>', 'node7.lab.test node7 node7.lab.test'],
    ['<%= @host.ip %> <%= @host.mac %> <%= @host.ip6.inspect %>', '192.0.2.7 02:00:00:00:00:07 nil'],
    ['<%= @host.domain %> <%= @host.domain.name %>', 'lab.test lab.test'],
    ['<%= @host.subnet %>', 'lab (192.0.2.0/24)'],
    ['<%= @host.subnet.mask %> <%= @host.subnet.gateway %> <%= @host.subnet.vlanid %>', '255.255.255.0 192.0.2.1 7'],
    ['<%= @host.subnet6.nil? %> <%= @host.realm&.name.inspect %>', 'true nil'],
    [
      '<%= @host.hostgroup %> <%= @host.organization.title %> <%= @host.location %>',
      'Rendered Default Organization Default Location',
    ],
    ['<%= @host.operatingsystem.major %> <%= @host.os.name %> <%= @host.os %>', '12 Debian Debian 12.7'],
    [
      '<%= @host.architecture %> <%= @host.arch %> <%= @host.medium.path %>',
      'riscv64 riscv64 http://mirror.lab.test/debian',
    ],
    ['<%= @host.certname %> <%= @host.pxe_loader %> <%= @host.owner.login %>', 'node7.lab.test Grub2 UEFI admin'],
    ['<%= @host.managed? %> <%= @host.build? %> <%= @host.pxe_build? %>', 'true false true'],
    [
      '<%= @host.interfaces.map { |i| i.mac }.join %> <%= @host.primary_interface.name %>',
      '02:00:00:00:00:07 node7.lab.test',
    ],
    ['<%= @host.ram %> <%= @host.cores %> <%= @host.sockets %> <%= @host.virtual %>', '2048 4 2 true'],
    ["<%= @host.facts['processors::count'] %> <%= @host.facts_hash['nothing'].inspect %>", '4 nil'],
    ["<%= host_param('tier') %> <%= @host.host_param('tier') %> <%= @host.params['tier'] %>", 'gold gold gold'],
    ["<%= host_param('none').inspect %> <%= host_param('none', 'else') %>", 'nil else'],
    [
      "<%= host_param_true?('on') %> <%= host_param_true?('off') %> <%= host_param_true?('none') %>",
      'true false false',
    ],
    [
      "<%= host_param_false?('on') %> <%= host_param_false?('off') %> <%= host_param_false?('none') %>",
      'false true false',
    ],
    ["<%= host_param('ratio') %> <%= host_param('ports') %> <%= host_param('ports').sum %>", '2.0 [80, 443] 523'],
    ['<% if host_param_true?("on") -%>\nyes\n<% end -%>\n', 'yes\n'],
    ['<%= rand_hex(8).length %>', '16'],
    ["<%= global_setting('entries_per_page') %>", '20'],
    ['<%= @host.diskLayout %>', 'part / --fstype=xfs\n'],
    ['<%= @host.ptable.name %>', 'lvm'],
  ])('%s', async (text, expected) => {
    expect(await rendered(text)).toBe(expected)
  })

  test('says how hosts reach the service: as the caller does, or as a setting says', async () => {
    expect(await rendered('<%= server_url %> <%= server_fqdn %>')).toBe('http://localhost:80 localhost')
    await api.admin.put('/api/settings/server_url', { setting: { value: 'https://mw.lab.test:8443' } })
    expect(await rendered('<%= server_url %> <%= server_fqdn %>')).toBe('https://mw.lab.test:8443 mw.lab.test')
  })

  test('puts in snippets that belong where the host is', async () => {
    await newTemplate({ name: 'greeting', snippet: true, template: 'Hello <%= @who %> on <%= @host.shortname %>' })
    expect(await rendered("<%= snippet 'greeting', variables: { who: 'you' } %>")).toBe('Hello you on node7')
    expect(await rendered("<%= indent(2) { snippet('greeting') } %>")).toBe('  Hello  on node7')
    const elsewhere = await given(api.admin, 'organization')
    await newTemplate({ name: 'foreign', snippet: true, template: 'x', organization_ids: [elsewhere.id] })
    for (const name of ['foreign', 'nowhere', 'world'])
      expect(await rendered(`<%= snippet '${name}' %>`)).toMatchObject({
        error: { errors: { template: [`world cannot be rendered: line 1: there is no snippet '${name}'`] } },
      })
    expect(await rendered("<%= snippet_if_exists 'nowhere' %>.")).toBe('.')
    await newTemplate({ name: 'endless', snippet: true, template: "<%= snippet 'endless' %>" })
    expect(JSON.stringify(await rendered("<%= snippet 'endless' %>"))).toContain('endless > endless')
  })

  test('has passwords only for those who may reveal them, and hidden parameters for those who may reveal these, too', async () => {
    const text = "<%= @host.root_pass %> <%= host_param('pin') %> <%= @host.params['pin'] %>"
    expect(await rendered(text)).toMatch(/^\$6\$\S+ s3cret s3cret$/)
    const viewer = await api.can(['view_hosts'], HERE)
    expect(await rendered(text, viewer)).toBe('***** ***** *****')
    const editor = await api.can(['view_hosts', 'reveal_hosts', 'edit_params'], HERE)
    expect(await rendered(text, editor)).toMatch(/^\$6\$\S+ \*{5} \*{5}$/)
    const trusted = await api.can(['view_hosts', 'reveal_hosts', 'reveal_params'], HERE)
    expect(await rendered(text, trusted)).toMatch(/^\$6\$\S+ s3cret s3cret$/)
  })

  test('has the root password of the group or of the settings where the host has none', async () => {
    const bare = await newHost({ hostgroup_id: machine.hostgroup_id, environment_id: null })
    await put('<%= @host.root_pass.inspect %>')
    const shown = async () => (await preview(bare)).body.template
    expect(await shown()).toBe('nil')
    await api.admin.put('/api/settings/root_pass', { setting: { value: 'of the settings' } })
    const ofSettings = await shown()
    expect(ofSettings).toMatch(/^"\$6\$/)
    await api.admin.put(`/api/hostgroups/${machine.hostgroup_id}`, { root_pass: 'of the group' })
    expect(await shown()).toMatch(/^"\$6\$/)
    expect(await shown()).not.toBe(ofSettings)
  })

  test('is rendered for whoever may see the host, and nobody else', async () => {
    expect((await put('plain text')).status).toBe(200)
    const viewer = await api.can(['view_hosts'], HERE)
    expect((await preview(machine, viewer)).body).toEqual({ template: 'plain text' })
    expect((await viewer.get(`/api/hosts/${machine.name}/template/provision`)).status).toBe(200)
    const limited = await api.can(['view_hosts'], { ...HERE, search: 'name = other.example.test' })
    expect((await preview(machine, limited)).status).toBe(404)
    const other = await api.can(['view_provisioning_templates'], HERE)
    expect((await preview(machine, other)).status).toBe(403)
  })

  test('can read and call everything that docs/templates.md names', async () => {
    const guide = await readFile(new URL('../../docs/templates.md', import.meta.url), 'utf8')
    const named = guide
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ''))
    expect(named.length).toBeGreaterThan(50)
    await newTemplate({ name: 'name', snippet: true, template: 'x' })
    await api.admin.put('/api/settings/server_url', { setting: { value: 'https://mw.lab.test' } })
    await put(named.map((code) => `${code}: <%= (${code}).inspect %>\n`).join(''))
    const { status, body } = await preview(machine)
    expect({ status, body }).toMatchObject({ status: 200 })
    const columns = guide.split('\n').filter((line) => /^\| `@host\.(os|subnet|medium|domain|interfaces)/.test(line))
    for (const line of columns) {
      const [first, second] = line.split(' | ')
      const whole = /`([^`]+)`/.exec(first ?? '')?.[1]
      const parts = [...(second ?? '').matchAll(/`([^`]+)`/g)].map(([, part]) => part)
      const owner = whole === '@host.interfaces' ? '@host.interfaces.first' : whole
      await put(parts.map((part) => `<%= ${owner}.${part} %>`).join(''))
      expect({ owner, status: (await preview(machine)).status }).toEqual({ owner, status: 200 })
    }
  })

  const HOSTILE: readonly [string, RegExp][] = [
    ['<%= File.read("/etc/passwd") %>', /File/],
    ['<%= IO.popen("ls").read %>', /IO/],
    ['<%= Kernel.exit %>', /Kernel/],
    ['<%= ENV["PATH"] %>', /ENV/],
    ['<%= `ls` %>', /backquotes/],
    ['<%= %x(ls) %>', /./],
    ['<%= system("ls") %>', /system/],
    ['<%= eval("1") %>', /eval/],
    ['<%= require "fs" %>', /require/],
    ['<%= process %>', /process/],
    ['<%= globalThis %>', /globalThis/],
    ['<%= @host.class %>', /class/],
    ['<%= @host.constructor %>', /constructor/],
    ['<%= @host.send(:name) %>', /send/],
    ['<%= @host.__send__(:name) %>', /__send__/],
    ['<%= @host.public_send(:name) %>', /public_send/],
    ['<%= @host.instance_variables %>', /instance_variables/],
    ['<%= @host.method(:name) %>', /method/],
    ['<%= @host.destroy %>', /destroy/],
    ['<%= @host.fqdn %>', /fqdn/],
    ['<%= @host.password %>', /password/],
    ['\n<%= input("x") %>', /line 2: input is not offered: templates of hosts take no inputs/],
    ['<% load_hosts.each_record do |h| %><% end %>', /load_hosts is not offered/],
    ['<%= @host.__proto__ %>', /__proto__/],
    ['<%= "".constructor %>', /constructor/],
    ['<%= dns_lookup("localhost") %>', /dns_lookup/],
    ['<%= global_setting("failed_login_attempts_limit") %>', /settings only/],
    ['<%= rand_hex(10**9) %>', /rand_hex/],
    ['<% loop { } %>', /steps/],
    ['<% x = 0 %>\n\n<% while true; x += 1; end %>', /line 3: took more than/],
    ['<%= "a" * 10**9 %>', /./],
    ['<%= (1..10**12).to_a %>', /./],
    ['<% x = []; x << x; %><%= x.flatten %>', /./],
    ['<%= "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" =~ /(a+)+$/ ? 1 : nil.no %>', /no/],
  ]

  test.each(HOSTILE)('that tries %s is refused with the line and what there is not', async (text, reason) => {
    const saved = await put(text)
    const { status, body } = saved.status === 422 ? saved : await preview(machine)
    expect(status).toBe(422)
    const [message] = body.error.errors.template
    expect(message).toMatch(/line \d+: /)
    expect(message).toMatch(reason)
  })

  test('of a partition table that goes wrong says so where it is put in', async () => {
    const { body: table } = await api.admin.get(`/api/ptables/${machine.ptable_id}`)
    const layout = (text: string) => api.admin.put(`/api/ptables/${table.id}`, { layout: text })
    await layout('<%= File %>')
    expect(await rendered('no layout')).toBe('no layout')
    expect(JSON.stringify(await rendered('\n<%= @host.diskLayout %>'))).toMatch(
      /line 2: the disk layout: line 1: .*File/,
    )
    await layout('<%= @host.diskLayout %>')
    expect(JSON.stringify(await rendered('<%= @host.diskLayout %>'))).toContain('the disk layout is not offered here')
    await api.admin.put(`/api/hosts/${machine.id}`, { disk: 'own\r\nlayout' })
    expect(await rendered('<%= @host.diskLayout %>')).toBe('own\nlayout')
  })

  test('costs the same statements, however many parameters and facts there are', async () => {
    await put('<%= @host.name %>')
    await preview(machine)
    const before = await api.counting(async () => void (await preview(machine)))
    const facts = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`fact${index}`, 'x']))
    await api.admin.post('/api/hosts/facts', { name: machine.name, facts })
    await preview(machine)
    const after = await api.counting(async () => void (await preview(machine)))
    expect(after).toEqual(before)
  })
})
