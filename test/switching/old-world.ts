import { sql } from '../../src/sql.ts'
import type { World } from '../laws/world.ts'
import type { TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, managedHost, type Shown } from '../support/given.ts'

/** Fills an old server with what the world of the laws lacks: parts, trees, parameters at all levels, links in circles. */
export async function fillOld({ api, organization, location }: World): Promise<{ readonly host: number }> {
  const { admin } = api
  const place = { organization_ids: [organization], location_ids: [location] }
  const parameter = { name: 'level', value: 'kept', parameter_type: 'string' }
  await fillSecretOwners(api)
  await given(admin, 'common_parameter', { name: 'everywhere', parameter_type: 'json', value: { b: 2.5, a: [1, '2'] } })
  await given(admin, 'organization', { parent_id: organization, organization_parameters_attributes: [parameter] })
  const domain = await given(admin, 'domain', {
    ...place,
    name: 'example.test',
    domain_parameters_attributes: [parameter],
  })
  const network = { network: '192.0.2.0', mask: '255.255.255.0', domain_ids: [domain.id] }
  const subnet = await given(admin, 'subnet', { ...place, ...network })
  const { managed: _managed, mac: _mac, ...system } = await managedHost(admin)
  const architecture = Number(system.architecture_id)
  await admin.put(`/api/operatingsystems/${system.operatingsystem_id}`, {
    operatingsystem: { architecture_ids: [architecture], os_parameters_attributes: [parameter] },
  })
  const template = await given(admin, 'provisioning_template', { ...place, template: '<%= @host.name %>' })
  await admin.put(`/api/operatingsystems/${system.operatingsystem_id}`, {
    operatingsystem: { provisioning_template_ids: [template.id] },
  })
  await admin.post(`/api/operatingsystems/${system.operatingsystem_id}/os_default_templates`, {
    os_default_template: { provisioning_template_id: template.id, template_kind_id: template.template_kind_id },
  })
  const environment = await given(admin, 'environment', { ...place, name: 'production' })
  const configclass = await given(admin, 'configclass', { name: 'web', environment_ids: [environment.id] })
  const imported = await importedParameter(api, { configclass, columns: { parameter_type: 'integer', override: true } })
  const group = await given(admin, 'config_group', { configclass_ids: [configclass.id] })
  const above = await given(admin, 'hostgroup', {
    ...place,
    name: 'above',
    environment_id: environment.id,
    group_parameters_attributes: [parameter],
  })
  const below = await given(admin, 'hostgroup', {
    ...place,
    name: 'below',
    parent_id: above.id,
    config_group_ids: [group.id],
  })
  await admin.post(`/api/provisioning_templates/${template.id}/template_combinations`, {
    template_combination: { hostgroup_id: below.id, environment_id: environment.id },
  })
  await admin.post(`/api/smart_class_parameters/${imported.id}/override_values`, {
    override_value: { match: 'hostgroup=above/below', value: 42 },
  })
  const user = await given(admin, 'user', { ...place, default_organization_id: organization })
  await admin.post(`/api/users/${user.id}/ssh_keys`, { ssh_key: { name: 'work', key: SSH_KEY } })
  const inner = await given(admin, 'usergroup', { name: 'a-inner', user_ids: [user.id] })
  await given(admin, 'usergroup', { name: 'a-group', usergroup_ids: [inner.id] })
  const proxy = await given(admin, 'smart_proxy', place)
  await sql`update smart_proxies set url = 'https://proxy.example.test:8443' where id = ${proxy.id}`.execute(
    api.database.db,
  )
  await given(admin, 'bookmark')
  const { body: environments } = await admin.get(`/content/api/environments?organization_id=${organization}`)
  const library = environments.results.find((one: Shown) => one.library)
  const { body: views } = await admin.get(`/content/api/content_views?organization_id=${organization}&default=true`)
  const pair = { environment_id: library.id, content_view_id: views.results.find((one: Shown) => one.default).id }
  const collection = await given(admin, 'host_collection', { organization_id: organization })
  await given(admin, 'activation_key', {
    organization_id: organization,
    ...pair,
    host_collection_ids: [collection.id],
    max_hosts: 7,
  })
  const host = await given(admin, 'host', {
    ...system,
    name: 'web1.example.test',
    managed: false,
    organization_id: organization,
    location_id: location,
    owner_id: user.id,
    owner_type: 'User',
    hostgroup_id: below.id,
    environment_id: environment.id,
    config_proxy_id: proxy.id,
    configclass_ids: [configclass.id],
    host_parameters_attributes: [
      parameter,
      { name: 'secret', value: 'hidden', hidden_value: true },
      { name: 'n', value: 1.5, parameter_type: 'real' },
    ],
    interfaces_attributes: [
      {
        identifier: 'eth0',
        mac: '52:54:00:00:00:01',
        ip: '192.0.2.7',
        subnet_id: subnet.id,
        domain_id: domain.id,
        primary: true,
        provision: true,
      },
      { identifier: 'bond0', type: 'bond', attached_devices: ['eth1', 'eth2'], mode: '802.3ad' },
    ],
  })
  await admin.post('/api/hosts/facts', {
    name: 'web1.example.test',
    facts: { kernel: 'Linux', os: { family: 'Debian', list: [1, 2] } },
  })
  return { host: host.id }
}

/** Records with the ids of those in recorded/old.sql. */
async function fillSecretOwners({ admin, database: { db } }: TestApi): Promise<void> {
  await sql`select setval('users_id_seq', 101, false), setval('auth_sources_id_seq', 201, false), setval('http_proxies_id_seq', 301, false)`.execute(
    db,
  )
  for (const login of ['derived', 'digested', 'blowfish']) await given(admin, 'user', { login })
  for (const name of ['corp', 'plain'])
    await given(admin, 'auth_source_ldap', { name, host: 'ldap.example.test', account: 'cn=reader' })
  await given(admin, 'http_proxy', { username: 'proxy' })
}

const SSH_KEY = `ssh-ed25519 ${Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32]), Buffer.alloc(32, 7)]).toString('base64')} a@example.test`
