import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasAnsible } from './player.ts'
import { openSite, type Site } from './site.ts'

// Everything that describes and provisions hosts, managed by Ansible; then the inventory and the facts that it reads.

const FLEET = join(import.meta.dirname, 'fleet.yml')
const GONE = join(import.meta.dirname, 'fleet-gone.yml')
const HOST = 'web1.fleet.example.com'
const MINUTES = 60_000

const ansible = hasAnsible()

describe.skipIf(!ansible)('a fleet kept by Ansible', { timeout: 5 * MINUTES }, () => {
  let site: Site

  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site?.[Symbol.asyncDispose]())

  test('is made by the first run, and left alone by the second', async () => {
    const first = await site.play(FLEET, { password: 'correct horse' })
    expect(first.failed).toEqual([])
    expect(first.changed).toEqual(expect.arrayContaining(KINDS))
    const second = await site.play(FLEET)
    expect(second.failed).toEqual([])
    expect(second.changed).toEqual([])
  })

  test('is changed where the wish has changed, and not by a check', async () => {
    const check = await site.play(FLEET, { edition: '2' }, '--check')
    expect(check.failed).toEqual([])
    const changing = await site.play(FLEET, { edition: '2' })
    expect(changing.failed).toEqual([])
    // The check mode reported exactly the changes, without making them.
    expect(changing.changed).toEqual(check.changed)
    expect(changing.changed).toEqual(expect.arrayContaining(KINDS.filter((kind) => !NAMED_ONLY.includes(kind))))
  })

  test('tells its facts, and what came of them', async () => {
    const { failed, said } = await site.player.report(join(import.meta.dirname, 'facts.yml'), HOST)
    expect(failed).toEqual([])
    expect(said).not.toMatch(/failed for/)
    const reports = await site.found(`/api/config_reports?search=host=${HOST}`)
    expect(reports).toMatchObject([{ host_name: HOST, origin: 'Ansible' }])
  })

  test('is an inventory', async () => {
    const [host] = await site.found(`/api/hosts?search=name=${HOST}`)
    const [collection] = await site.found('/katello/api/host_collections?search=name=fleet')
    await site.put(`/katello/api/host_collections/${collection?.id}/add_hosts`, { host_ids: [host?.id] })
    const { groups, variables, said } = await site.player.inventory(join(import.meta.dirname, 'fleet.foreman.yml'))
    expect(said.trim()).toBe('')
    const hosts = [HOST, 'web2.fleet.example.com']
    expect(groups).toMatchObject({
      f_fleet: { children: ['f_fleet_web'] },
      f_fleet_web: { hosts },
      location_Kiruna: { hosts },
      organization_Fleet: { hosts },
      first: { hosts: [HOST] },
      f_hostcollection_fleet: { hosts: [HOST] },
    })
    expect(variables[HOST]).toMatchObject({
      ansible_host: '192.0.2.11',
      ...{ f_comment: 'Edition 2', f_domain_name: 'fleet.example.com', f_hostgroup_id: expect.any(Number) },
      // Parameters of the host, its group, subnet, domain and organization.
      ...{ rack: '2', tier: '2', ports: [80, 443], zone: 2, dns: 'ns2', ntp: 'ntp2' },
      foreman_facts: expect.objectContaining({ ansible_system: 'Linux' }),
    })
    expect(variables['web2.fleet.example.com']).toMatchObject({ f_ip: '192.0.2.12', foreman_facts: {} })
  })

  test('is an inventory by a report, which the plugin asks for by default', async () => {
    const { groups, variables, said } = await site.player.inventory(join(import.meta.dirname, 'plain.foreman.yml'))
    expect(said.trim()).toBe('')
    const hosts = [HOST, 'web2.fleet.example.com']
    expect(groups).toMatchObject({ foreman_fleet_web: { hosts }, foreman_organization_fleet: { hosts } })
    expect(variables[HOST]).toMatchObject({
      foreman: { name: HOST, ipv4: '192.0.2.11' },
      foreman_params: { tier: '2', ports: [80, 443] },
    })
  })

  test('loses the parameters that are wished no more, and a further run finds none to take away', async () => {
    const without = ['--tags', 'parameters'] as const
    const wish = { edition: '2', parameters: 'none' }
    const losing = await site.play(FLEET, wish, ...without)
    expect(losing.failed).toEqual([])
    expect(losing.changed).toEqual(WITH_PARAMETERS)
    const [host] = await site.found(`/api/hosts?search=name=${HOST}`)
    expect(await site.found(`/api/hosts/${host?.id}/parameters`)).toEqual([])
    const again = await site.play(FLEET, wish, ...without)
    expect(again.failed).toEqual([])
    expect(again.changed).toEqual([])
    expect((await site.play(FLEET, { edition: '2' }, ...without)).changed).toEqual(WITH_PARAMETERS)
  })

  test('is gone after the last run, and a further one finds nothing to do', async () => {
    const gone = await site.play(GONE)
    expect(gone.failed).toEqual([])
    expect(gone.changed).toEqual(expect.arrayContaining([...KINDS.filter(isTakenAway), 'setting, as it was']))
    const again = await site.play(GONE)
    expect(again.failed).toEqual([])
    expect(again.changed).toEqual([])
  })

  test('leaves room for a site that the roles of the collection make', async () => {
    const { failed, changed } = await site.play(join(import.meta.dirname, 'roles.yml'))
    expect(failed).toEqual([])
    // Each of the modules has created something.
    expect(new Set(changed.map((name) => name.split(' : ', 1)[0])).size).toBe(17)
  })
})

/** Records without a field that can be changed, or that are not changed after their creation. */
const NAMED_ONLY = [
  ...['location', 'smart_proxy', 'architecture', 'operatingsystem', 'provisioning_template', 'compute_profile'],
  'content_view_version',
]

/** Records with parameters, in the order of the playbook. */
const WITH_PARAMETERS = ['organization', 'location', 'domain', 'subnet', 'operatingsystem', 'hostgroup', 'host']

/** What the first playbook creates. */
const KINDS = [
  ...['organization', 'domain', 'subnet', 'realm', 'hardware_model', 'installation_medium', 'partition_table'],
  ...['os_default_template', 'compute_resource', 'image', 'role', 'user', 'setting', 'hostgroup', 'host'],
  ...['host with interfaces', 'lifecycle_environment', 'product', 'repository', 'content_view', 'host_collection'],
  ...['http_proxy', 'bookmark', 'content_credential', 'compute_attribute'],
  ...['composite content_view', 'content_view_version of an edition', ...NAMED_ONLY],
]

function isTakenAway(kind: string): boolean {
  return !['setting', 'host with interfaces', 'content_view_version of an edition', 'compute_attribute'].includes(kind)
}
