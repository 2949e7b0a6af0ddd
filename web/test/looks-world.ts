import { keyWorld } from '../../test/api/activation-key-world.ts'
import { openRunsWorld, type RunsWorld } from '../../test/api/configrun-world.ts'
import { expectCreated } from '../../test/support/api.ts'
import { importedParameter } from '../../test/support/classification.ts'
import { given } from '../../test/support/given.ts'

/** A small site in which each handmade page has something to show, and the addresses of these pages. */
export interface Site extends AsyncDisposable {
  readonly world: RunsWorld
  readonly pages: Readonly<Record<string, string>>
}

const PROGRAM = `echo "Info: Using environment 'production'"
echo "Info: Applying configuration version '1764081'"
case "$1" in db3*) echo "Error: Could not find a suitable package provider" >&2; exit 4 ;; esac
echo "Notice: Package[nginx]/ensure: ensure changed '1.26.2' to '1.28.0'"
echo "Notice: Service[nginx]: Triggered 'refresh' from 1 event"`

const TEMPLATE = `#!/bin/sh
# What <%= @host.name %> does when it starts for the first time.
<% if @host.operatingsystem.family == 'Debian' -%>
apt-get install --yes chrony
<% end -%>
echo 'server <%= host_param('ntp') %> iburst' > /etc/chrony.conf
systemctl restart chrony
`

export async function openSite(): Promise<Site> {
  const world = await openRunsWorld(PROGRAM)
  const { api, place } = world
  const { admin } = api
  for (const [path, name] of [
    [`organizations/${place.organization_id}`, 'Example'],
    [`locations/${place.location_id}`, 'Berlin'],
    [`smart_proxies/${world.proxy}`, 'north.example.test'],
  ] as const)
    if ((await admin.put(`/api/${path}`, { name })).status !== 200) throw new Error(`${name} was refused`)
  const scope = { organization_ids: [place.organization_id], location_ids: [place.location_id] }
  const [production, staging] = [
    await given(admin, 'environment', { name: 'production', ...scope }),
    await given(admin, 'environment', { name: 'staging', ...scope }),
  ]
  const debian = await given(admin, 'operatingsystem', {
    name: 'Debian',
    major: '13',
    family: 'Debian',
    release_name: 'trixie',
  })
  const rocky = await given(admin, 'operatingsystem', { name: 'Rocky', major: '10', family: 'Redhat' })
  await expectCreated(
    admin.post('/api/common_parameters', { common_parameter: { name: 'ntp', value: 'ntp.example.test' } }),
  )
  const environment_ids = [production.id, staging.id]
  const configclass = await given(admin, 'configclass', { name: 'nginx', environment_ids })
  const groups = []
  for (const [name, environment] of [
    ['web', production],
    ['db', production],
    ['build', staging],
  ] as const)
    groups.push(
      await given(admin, 'hostgroup', {
        ...{ name, environment_id: environment.id, configclass_ids: [configclass.id], ...scope },
        group_parameters_attributes: [{ name: 'tier', value: name === 'build' ? 'bronze' : 'gold' }],
      }),
    )
  for (const [at, group] of groups.entries())
    for (let n = 1; n <= 5; n++) {
      const operatingsystem_id = n % 3 === 0 ? rocky.id : debian.id
      const mac = `52:54:00:00:0${at}:0${n}`
      const ip = `192.0.2.${at * 10 + n}`
      await world.host(`${group.name}${n}.example.test`, { hostgroup_id: group.id, operatingsystem_id, mac, ip })
    }
  await report(world)
  const parameter = await importedParameter(api, {
    ...{ configclass, parameter: 'worker_processes', default_value: '2' },
    columns: { override: true, parameter_type: 'integer' },
  })
  const overrides = `/api/smart_class_parameters/${parameter.id}/override_values`
  for (const [match, value] of [
    ['hostgroup=web', 8],
    ['fqdn=web1.example.test', 16],
  ] as const)
    await expectCreated(admin.post(overrides, { override_value: { match, value } }))
  const template = await given(admin, 'provisioning_template', { name: 'First start', template: TEMPLATE })
  const rollouts = await runRollouts(world)
  const role = await given(admin, 'role', { name: 'Web operators' })
  for (const [permission, search] of [
    ['view_hosts', 'hostgroup = web'],
    ['edit_hosts', 'hostgroup = web and environment = production'],
  ])
    await expectCreated(
      admin.post('/api/filters', { filter: { role_id: role.id, permission_names: [permission], search } }),
    )
  const user = await given(admin, 'user', { login: 'ada', role_ids: [role.id], ...scope })
  const host = (await admin.get('/api/hosts/web1.example.test')).body
  const key = await fillKey(world)
  return {
    world,
    pages: {
      dashboard: '/',
      directory: '/auth_source_ldaps/new',
      classes: `/smart_class_parameters/${parameter.id}`,
      document: `/smart_class_parameters/${parameter.id}`,
      template: `/provisioning_templates/${template.id}/edit`,
      rollout: `/config_rollouts/${rollouts.at(-1)}`,
      key: `/activation_keys/${key}?organization_id=${place.organization_id}`,
      host: '/hosts/web1.example.test',
      hosts: '/hosts',
      'host-form': '/hosts/web1.example.test/edit',
      tree: '/hostgroup_tree',
      settings: '/settings?search=idle',
      'who-may': `/who_may?user=${user.id}&kind=hosts&record=${host.id}&permission=edit_hosts`,
      history: '/history',
      account: '/account',
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** Stores facts and reports of hosts from the last days. */
async function report({ api: { admin } }: RunsWorld): Promise<void> {
  const { body } = await admin.get('/api/hosts?per_page=all')
  for (const [at, { name }] of body.results.entries()) {
    await admin.post('/api/hosts/facts', { name, facts: { kernel: 'Linux', memorysize: `${4 + (at % 3) * 4} GiB` } })
    for (let day = 0; day < 7; day++) {
      if ((at + day) % 4 === 3) continue
      const failed = name.startsWith('db3') || (at * day) % 11 === 10 ? 1 : 0
      const status = { applied: (at + day) % 3, restarted: 0, failed, failed_restarts: 0, skipped: 0, pending: 0 }
      const reported_at = new Date(Date.now() - day * 86_400_000).toISOString()
      const config_report = { host: name, reported_at, status, metrics: {}, logs: [] }
      await expectCreated(admin.post('/api/config_reports', { config_report }))
    }
  }
}

async function runRollouts(world: RunsWorld): Promise<number[]> {
  const { admin } = world.api
  await using _workers = await world.workers()
  const ids: number[] = []
  for (const search of ['hostgroup = web', 'name = web1.example.test', 'hostgroup = build', 'name ~ example.test']) {
    const { id } = await expectCreated(admin.post('/api/config_rollouts', { config_rollout: { search } }))
    const state = async () => (await admin.get(`/api/config_rollouts/${id}`)).body
    while ((await state()).status === 'running') await new Promise((resolve) => setTimeout(resolve, 50))
    ids.push(Number(id))
  }
  return ids
}

async function fillKey({ api, place }: RunsWorld): Promise<number> {
  const organization = (await api.admin.get(`/api/organizations/${place.organization_id}`)).body
  const world = await keyWorld(api, organization)
  const key = await world.key({ name: 'web', max_hosts: 5, unlimited_hosts: false, service_level: 'Standard' })
  for (const name of ['web6', 'web7', 'web8']) await world.registered(key, `${name}.example`)
  await world.change(key, { service_level: 'Premium' })
  return key.id
}
