import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOST_METHODS, SERVER_AS_TEXT, TEMPLATE_FUNCTIONS } from '../../src/words/template-names.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Templates of existing servers (measured: Templates), rendered at both ports.

let api: TestApi
let vendor: Caller
let host: Shown
let template: Shown

const HERE = { organization_ids: [1], location_ids: [1] }

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  vendor = api.asVendor({ authorization: `Basic ${Buffer.from('admin:admin-password').toString('base64')}` })
  await api.admin.put('/api/settings/server_url', { setting: { value: 'https://mw.lab.test' } })
  const os = await given(api.admin, 'operatingsystem', { name: 'CentOS', major: '8', minor: '5', family: 'Redhat' })
  const domain = await given(api.admin, 'domain', { name: 'lab.test', ...HERE })
  const subnet = await given(api.admin, 'subnet', {
    ...{
      name: 'lab',
      network: '192.0.2.0',
      mask: '255.255.255.0',
      gateway: '192.0.2.1',
      dns_primary: '192.0.2.2',
      ...HERE,
    },
    subnet_parameters_attributes: [{ name: 'rack', value: 'r7' }],
  })
  const medium = await given(api.admin, 'medium', {
    ...{
      name: 'Mirror One',
      path: 'http://mirror.lab.test/$major.$minor/os/$arch',
      operatingsystem_ids: [os.id],
      ...HERE,
    },
  })
  const ptable = await given(api.admin, 'ptable', { layout: '#Dynamic\n', operatingsystem_ids: [os.id], ...HERE })
  const architecture = await given(api.admin, 'architecture', { name: 'aarch64', operatingsystem_ids: [os.id] })
  template = await given(api.admin, 'provisioning_template', {
    ...{ name: 'whole', template: 'x', template_kind_name: 'provision', operatingsystem_ids: [os.id], ...HERE },
  })
  const body = { template_kind_name: 'provision', provisioning_template_id: template.id }
  await api.admin.post(`/api/operatingsystems/${os.id}/os_default_templates`, body)
  const mine = {
    organization_id: 1,
    location_id: 1,
    operatingsystem_id: os.id,
    medium_id: medium.id,
    ptable_id: ptable.id,
  }
  const [view] = (await api.admin.get('/content/api/content_views?organization_id=1')).body.results
  host = await given(api.admin, 'host', {
    ...{ name: 'n1.lab.test', ...mine, architecture_id: architecture.id, domain_id: domain.id, managed: true },
    ...{ root_pass: 'very secret', comment: 'first', pxe_loader: 'Grub2 UEFI' },
    interfaces_attributes: [
      {
        identifier: 'eth0',
        mac: '02:00:00:00:00:01',
        ip: '192.0.2.7',
        subnet_id: subnet.id,
        primary: true,
        provision: true,
      },
      {
        identifier: 'bond0',
        type: 'bond',
        attached_devices: 'eth0,eth1',
        mode: 'balance-rr',
        bond_options: 'miimon=100',
      },
      { identifier: 'eth0.7', virtual: true, attached_to: 'eth0', tag: '7' },
      { identifier: 'ipmi', type: 'bmc', provider: 'IPMI', username: 'operator', password: 'very secret too' },
    ],
    content_facet_attributes: { content_view_id: view.id, lifecycle_environment_id: view.environments[0].id },
    host_parameters_attributes: [
      { name: 'puppet_server', value: 'config.lab.test' },
      { name: 'kernelcmd', value: 'quiet' },
      { name: 'blacklist', value: 'a, b' },
      { name: 'additional_media', value: '[{"name": "extra", "url": "http://x"}, {"name": "no url"}]' },
    ],
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function rendered(text: string, caller: Caller = api.admin): Promise<string> {
  const saved = await api.admin.put(`/api/provisioning_templates/${template.id}`, { template: text })
  if (saved.status !== 200) return saved.body.error.errors.template[0]
  const { status, body } = await caller.get(`/api/hosts/${host.id}/template/provision`)
  return status === 200 ? body.template : body.error.errors.template[0]
}

describe('a template of existing servers', () => {
  test.each([
    ["<%= foreman_url('built') %>", 'https://mw.lab.test/unattended/built'],
    ["<%= foreman_url('provision', static: '1') %>", 'https://mw.lab.test/unattended/provision?static=1'],
    ["<%= foreman_url('iPXE', {}, { mac: '${mac}' }) %>", 'https://mw.lab.test/unattended/iPXE?mac=${mac}'],
    [
      "<%= bootdisk_chain_url %> <%= bootdisk_chain_url('', 'PXELinux') %>",
      'https://mw.lab.test/unattended/iPXE?mac=02%3A00%3A00%3A00%3A00%3A01 https://mw.lab.test/unattended/PXELinux?mac=',
    ],
    [
      '<%= foreman_server_url %> <%= foreman_server_fqdn %> <%= foreman_request_addr %>',
      'https://mw.lab.test mw.lab.test mw.lab.test',
    ],
    ["<%= default_template_url('A b', 'G/H') %>", 'https://mw.lab.test/unattended/template/A%20b/G%2FH'],
    ['<%= foreman_server_ca_cert.is_a?(String) %>', 'true'],
    [
      '<%= host_puppet_server %> <%= host_puppet_ca_server.inspect %> <%= host_puppet_environment.inspect %>',
      'config.lab.test nil nil',
    ],
    [
      '<%= @host.puppetmaster.empty? %> <%= @host.puppet_server.inspect %> <%= @host.puppetca_token.inspect %>',
      'true nil nil',
    ],
    ["<%= plugin_present?('foreman_puppet') %> <%= plugin_present?('foreman_salt') %>", 'true false'],
    ["<%= global_setting('default_pxe_item_global', 'local') %> <%= global_setting('token_duration') %>", 'local 360'],
    ['<%= template_name %> <%= @template_name %>', 'whole whole'],
    ['<%= root_pass[0, 3] %>|<%= grub_pass %>|<%= ks_console %>', '$6$||'],
    [
      '<%= @host.owner_type %> <%= @host.comment %> <%= @host.pxe_loader_efi? %> <%= @host.token.inspect %>',
      'User first true nil',
    ],
    ['<%= @host.managed_interfaces.map { |i| i.identifier }.join(" ") %>', 'bond0 eth0 eth0.7'],
    [
      '<% bond = @host.bond_interfaces.first %><%= bond.mode %> <%= bond.bond_options %> <%= bond.attached_devices_identifiers %>',
      'balance-rr miimon=100 ["eth0", "eth1"]',
    ],
    [
      '<% i = @host.provision_interface %><%= i.subnet.dns_servers %> <%= i.subnet6.inspect %> <%= i.domain %> <%= i.shortname %>',
      '["192.0.2.2"] nil lab.test n1',
    ],
    [
      '<% v = @host.interfaces.find { |i| i.virtual? && !i.bond? } %><%= v.vlanid %> <%= v.inheriting_mac %> <%= v.physical? %> <%= v.bond? %>',
      '7 02:00:00:00:00:01 false false',
    ],
    [
      '<%= @host.interfaces_with_identifier(["eth0", "eth1"]).size %> <%= @host.interfaces_with_identifier("bond0").first.identifier %>',
      '1 bond0',
    ],
    [
      '<% bmc = @host.bmc_nic %><%= bmc.provider %> <%= bmc.username.empty? %> <%= bmc.password %> <%= @host.managed_interfaces.include?(bmc) %>',
      'IPMI false very secret too false',
    ],
    ['<%= @host.os.medium_uri(@host) == medium_uri %>', 'true'],
    ["<%= subnet_param(@host.subnet, 'rack') %> <%= subnet_has_param?(@host.subnet, 'x') %>", 'r7 false'],
    [
      '<%= @host.subnet.tftp.inspect %> <%= @host.subnet.dhcp? %> <%= @host.subnet.dhcp_boot_mode? %>',
      'nil false true',
    ],
    [
      '<%= @host.os.release %> <%= @host.os.pxe_type %> <%= @osver %> <%= @arch %> <%= @dynamic %>',
      '8.5 kickstart 8 aarch64 true',
    ],
    [
      '<%= medium_uri %> <%= medium_provider.medium_uri("a") %>',
      'http://mirror.lab.test/8.5/os/aarch64 http://mirror.lab.test/8.5/os/aarch64/a',
    ],
    ['<%= @mediapath %>|<%= @mediaserver %>', 'url --url http://mirror.lab.test/8.5/os/aarch64|mirror.lab.test'],
    [
      '<%= @kernel.sub(/-[A-Za-z0-9]{8}-/, "-id-") %> <%= @initrd == @host.os.initrd(medium_provider) %>',
      'boot/mirror-one-id-vmlinuz true',
    ],
    [
      '<%= @initrd_uri %> <%= @host.url_for_boot(:initrd) == @initrd_uri %>',
      'http://mirror.lab.test/8.5/os/aarch64/images/pxeboot/initrd.img true',
    ],
    [
      '<%= @host.os.boot_files_uri(medium_provider)[0] == @kernel_uri %> <%= @host.os.bootfile(medium_provider, :kernel) == @kernel %>',
      'true true',
    ],
    ['<%= pxe_kernel_options %>', 'quiet modprobe.blacklist=a,b'],
    ['<% @additional_media.each do |m| %><%= m[:name] %> <%= m["url"] %><% end %>', 'extra http://x'],
    ["<%= host_enc['parameters']['domainname'].inspect %> <%= host_enc('parameters', 'kernelcmd') %>", 'nil quiet'],
    ["<%= @host.info['parameters']['kernelcmd'] %> <%= @host.info['parameters']['realm'].inspect %>", 'quiet nil'],
    [
      '<%= @host.content_view %> <%= @host.lifecycle_environment %> <%= @host.content_source.inspect %> <%= @host.rhsm_organization_label %>',
      'Default Organization View Library nil Default_Organization',
    ],
    [
      '\n<%= subscription_manager_configuration_url(@host) %>',
      'whole cannot be rendered: line 2: there is no package that sets subscription clients up: the script of /register does it',
    ],
    [
      "\n<%= Net::HTTP.get('x') %>",
      'cannot be understood: line 2: names inside of constants are not offered, as Net::HTTP is',
    ],
    [
      "<%= install_packages('a b') %>|<%= update_packages %>|<%= install_packages('') %>",
      'dnf -y install a b|dnf -y update|',
    ],
    [
      "<%= mac_name('02:00:00:00:00:01') == mac_name('02:00:00:00:00:01'.upcase) %> <%= rand_name.split('-').size %>",
      'true 2',
    ],
    ['<%= host_memory(@host).inspect %> <%= host_virtual(@host) %> <%= preview? %>', 'nil false false'],
    ['<%= @host.ssh_authorized_keys %> <%= @host.owner.ssh_keys %> <%= @host.capabilities %>', '[] [] ["build"]'],
    ["<%= @host.param_true?('none') %> <%= @host.respond_to?(:chef_proxy) && @host.chef_proxy %>", 'false false'],
    [
      '\n<%= dns_lookup("x") %>',
      'whole cannot be rendered: line 2: dns_lookup is not offered: a template asks no network',
    ],
    [
      '\n<%= host_enc("classes") %>',
      "whole cannot be rendered: line 2: the host has no 'classes' in what the classification says of it",
    ],
    [
      '\n<%= report_row %>',
      'cannot be understood: line 2: report_row is not offered: there are no reports in templates of hosts',
    ],
  ])('%s', async (text, expected) => {
    expect(await rendered(text)).toBe(expected)
  })

  test('renders the same at both ports', async () => {
    const text = "<%= foreman_url('built') %> <%= unattended_url('built') %> <%= @host.puppet_server.inspect %>"
    const own = await rendered(text)
    expect(own).toBe('https://mw.lab.test/unattended/built https://mw.lab.test/unattended/built nil')
    expect(await rendered(text, vendor)).toBe(own)
  })

  test('has its secrets for those who may edit the host only', async () => {
    const text =
      '<%= root_pass %> <%= host_enc["parameters"]["root_pw"] %> <%= subnet_param(@host.subnet, "rack") %> <%= @host.bmc_nic.password %>'
    const viewer = await api.can(['view_hosts'], HERE)
    expect(await rendered(text, viewer)).toBe('***** ***** ***** *****')
  })

  test('finds snippets that are marked default, whose they ever are, and only administrators mark them', async () => {
    const elsewhere = await given(api.admin, 'organization')
    const snippet = { name: 'of all', snippet: true, template: 'text', organization_ids: [elsewhere.id] }
    const { id } = await given(api.admin, 'provisioning_template', snippet)
    expect(await rendered("<%= snippet_if_exists 'of all' %>.")).toBe('.')
    const path = `/api/provisioning_templates/${id}`
    const permissions = ['view_provisioning_templates', 'edit_provisioning_templates']
    const author = await api.can(permissions, { organization_ids: [elsewhere.id], location_ids: [1] })
    await api.admin.put(path, { location_ids: [1] })
    expect((await author.put(path, { template: 'other' })).status).toBe(200)
    expect((await author.put(path, { default: true })).body.error.errors.default).toHaveLength(1)
    expect((await api.admin.put(path, { default: true })).body.default).toBe(true)
    expect(await rendered("<%= snippet 'of all' %>.")).toBe('other.')
    expect((await author.put(path, { template: 'mine' })).status).toBe(422)
    expect((await author.put(path, { description: 'mine' })).status).toBe(200)
  })

  test('is of a kind as it is spelled there', async () => {
    const kinds = (await vendor.get('/api/template_kinds?per_page=100')).body.results.map(({ name }: Shown) => name)
    expect(kinds).toEqual(expect.arrayContaining(['bootdisk', 'cloud_init', 'discovery', 'kexec']))
    const sent = { name: 'disk', template: 'x', template_kind_name: 'bootdisk', ...HERE }
    const made = await vendor.post('/api/provisioning_templates', { provisioning_template: sent })
    expect(made).toMatchObject({ status: 201, body: { template_kind_name: 'bootdisk' } })
    expect((await api.admin.get(`/api/provisioning_templates/${made.body.id}`)).body.template_kind_name).toBe(
      'Bootdisk',
    )
    expect((await vendor.get('/api/provisioning_templates?search=kind+%3D+bootdisk')).body.subtotal).toBe(1)
    expect((await vendor.get(`/api/hosts/${host.id}/template/cloud_init`)).text).toMatch(/No template with kind/)
  })

  test('finds every name that docs/compatibility.md lists, and all are listed', async () => {
    const guide = await readFile(new URL('../../docs/compatibility.md', import.meta.url), 'utf8')
    const rows = [...guide.matchAll(/^\| (`.*`) \| `([^`]+)` \|$/gm)].map(([, theirs, ours]) => [theirs, ours])
    for (const [ours, theirs] of Object.entries(TEMPLATE_FUNCTIONS))
      expect(rows).toContainEqual([`\`${theirs}\``, ours])
    expect(guide).toContain(`\`@host.${SERVER_AS_TEXT}\``)
    for (const [ours, theirs] of Object.entries(HOST_METHODS))
      expect(rows).toContainEqual([theirs.map((name) => `\`@host.${name}\``).join(', '), `@host.${ours}`])
    const text = Object.values(TEMPLATE_FUNCTIONS).map((name) => `<%= defined?(${name}) %>,`)
    expect(await rendered(text.join(''))).toBe('method,'.repeat(text.length))
  })
})
