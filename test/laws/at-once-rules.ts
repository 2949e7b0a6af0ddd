import { randomBytes } from 'node:crypto'
import { row, rows, type Sql } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { clientBody, newKey, newSite, register, type Site } from '../registration/clients.ts'
import type { Reply, TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, managedHost, permissionId, type Shown, unique } from '../support/given.ts'
import { publicKey } from './values.ts'

/** A rule about several records, that a write could break which looked before another one was done. */
export interface Rule {
  readonly says: string
  /** The table that is closed until all have looked. */
  readonly gate: string
  /** Unique indexes that hold it; without any it is held by a lock. */
  readonly indexes?: readonly string[]
  readonly prepare: (api: TestApi) => Promise<Attempt>
}

/** The writes of which some have to be refused. */
export interface Attempt {
  readonly send: (api: TestApi, index: number) => Promise<Reply>
  /** How many are accepted, and the status of the others: the answer that one more gets, unless `again` is false. */
  readonly accepted: number
  readonly refused?: number
  readonly again?: false
  /** Selects what contradicts the rule. */
  readonly broken?: Sql
}

const at = (index: number) => `${unique('twin')}-${index}.example.test`

export const RULES: readonly Rule[] = [
  {
    says: 'one machine, known by its DMI UUID, is one registered host of an organization',
    gate: 'hosts',
    prepare: async (api) => {
      const site = await newSite(api)
      await newKey(api, site, 'image')
      const machine = { 'dmi.system.uuid': '4c4c4544-0033-4a10-8050-b4c04f4d3732' }
      return {
        accepted: 1,
        refused: 422,
        send: (one, index) => register(one, site, 'image', clientBody(at(index), {}, machine)),
        broken: sql`select system_uuid from registrations where system_uuid = ${machine['dmi.system.uuid']}
          group by system_uuid having count(*) > 1`,
      }
    },
  },
  {
    says: 'a key has at most so many hosts',
    gate: 'hosts',
    prepare: async (api) => registering(api, await newSite(api), { max_hosts: 1 }, 409),
  },
  {
    says: 'a key for one registration is used once',
    gate: 'hosts',
    prepare: async (api) => registering(api, await newSite(api), { single_use: true }, 409),
  },
  {
    says: 'a host collection takes at most so many hosts that register',
    gate: 'hosts',
    prepare: async (api) => {
      const site = await newSite(api)
      const collection = await oneOf(api, site)
      return registering(api, site, { host_collection_ids: [collection.id] }, 422)
    },
  },
  {
    says: 'a host collection has at most so many hosts, whoever adds them',
    gate: 'host_collection_hosts',
    prepare: async (api) => {
      const site = await newSite(api)
      const { id } = await oneOf(api, site)
      const hosts = await makeHosts(api, site)
      return {
        accepted: 1,
        refused: 422,
        again: false,
        send: (one, index) =>
          index < 2
            ? one.admin.put(`/api/hosts/${hosts[index]?.id}/host_collections`, { host_collection_ids: [id] })
            : one.admin.put(`/content/api/host_collections/${id}/add_hosts`, { host_ids: [hosts[index]?.id] }),
        broken: sql`select from host_collection_hosts where host_collection_id = ${id} having count(*) > 1`,
      }
    },
  },
  {
    says: 'a subscription has at most so many uses',
    gate: 'host_entitlements',
    prepare: async (api) => {
      const site = await newSite(api)
      const { db } = api.database
      await sql`update organizations set content_access_mode = 'entitlement' where id = ${site.id}`.execute(db)
      const pool = await row<{ id: number }>(
        db,
        sql`insert into subscriptions (organization_id, name, quantity) values (${site.id}, ${unique('pool')}, 1) returning id`,
      )
      await newKey(api, site, 'entitled', { auto_attach: false })
      const names = Array.from({ length: 5 }, (_, index) => at(index))
      for (const name of names) await register(api, site, 'entitled', clientBody(name))
      return {
        accepted: 1,
        refused: 400,
        send: (one, index) =>
          one.admin.put(`/api/hosts/${names[index]}/subscriptions/add_subscriptions`, {
            subscriptions: [{ id: pool?.id }],
          }),
      }
    },
  },
  {
    says: 'no user has the name of a user group',
    gate: 'audits',
    prepare: async () => {
      const name = unique('shared')
      return { accepted: 1, refused: 422, again: false, send: (one, index) => makeNamed(one, name, index) }
    },
  },
  {
    says: 'no user is renamed to the name of a user group',
    gate: 'audits',
    prepare: async (api) => {
      const name = unique('shared')
      const [user, group] = [await given(api.admin, 'user'), await given(api.admin, 'usergroup')]
      const [another, other] = [await given(api.admin, 'user'), await given(api.admin, 'usergroup')]
      const paths = [`users/${user.id}`, `usergroups/${group.id}`, `usergroups/${other.id}`, `users/${another.id}`]
      return {
        accepted: 1,
        refused: 422,
        again: false,
        send: (one, index) =>
          one.admin.put(`/api/${paths[index]}`, paths[index]?.startsWith('users/') ? { login: name } : { name }),
      }
    },
  },
  {
    says: 'a host has at most one run that is queued or running',
    gate: 'config_runs',
    indexes: ['config_runs_host_id_key'],
    prepare: async (api) => {
      const config_proxy_id = (await given(api.admin, 'smart_proxy')).id
      await sql`update settings set value = 'true' where name = 'configrun'`.execute(api.database.db)
      const { id } = await given(api.admin, 'host', { config_proxy_id })
      return {
        accepted: 4,
        again: false,
        send: (one) => one.admin.put(`/api/hosts/${id}/configrun`),
        broken: sql`select from config_runs where host_id = ${id} having count(*) <> 1`,
      }
    },
  },
  {
    says: 'interfaces of a host have identifiers of their own',
    gate: 'interfaces',
    prepare: async (api) => {
      const { id } = await given(api.admin, 'host')
      return {
        accepted: 1,
        refused: 422,
        send: (one, index) =>
          one.admin.post(`/api/hosts/${id}/interfaces`, { identifier: 'eth7', name: at(index), primary: false }),
      }
    },
  },
  {
    says: 'exactly one interface of a host is primary, and one is installed through',
    gate: 'interfaces',
    indexes: ['interfaces_primary_key', 'interfaces_provision_key'],
    prepare: async (api) => {
      const interfaces_attributes = ['x', 'a', 'b', 'c', 'd', 'e'].map((identifier) => ({ identifier }))
      const host = await given(api.admin, 'host', { interfaces_attributes })
      const [old, ...others] = host.interfaces as Shown[]
      const flags = (value: boolean) => ({ primary: value, provision: value })
      return {
        accepted: 1,
        refused: 422,
        send: (one, index) =>
          one.admin.put(`/api/hosts/${host.id}`, {
            interfaces_attributes: [
              { id: old?.id, ...flags(false) },
              { id: others[index]?.id, ...flags(true) },
            ],
          }),
        broken: sql`select from interfaces where host_id = ${host.id}
          having count(*) filter (where "primary") <> 1 or count(*) filter (where provision) <> 1`,
      }
    },
  },
  {
    says: 'a hardware address is that of one managed host',
    gate: 'interfaces',
    indexes: ['interfaces_mac_key', 'hosts_pair_key'],
    prepare: async (api) => {
      const host = { ...(await managedHost(api.admin)), organization_id: 1, location_id: 1, build: false }
      return {
        accepted: 1,
        refused: 422,
        send: (one, index) =>
          one.admin.post('/api/hosts', { host: { ...host, name: at(index), root_pass: 'long enough' } }),
      }
    },
  },
  {
    says: 'the name in a certificate is that of one host',
    gate: 'hosts',
    indexes: ['hosts_certname_key'],
    prepare: async () => {
      const name = at(0)
      return {
        accepted: 1,
        refused: 422,
        again: false,
        send: (one, index) =>
          one.admin.post('/api/hosts', {
            host: index % 2 ? { name, managed: false } : { name: at(index), certname: name, managed: false },
          }),
      }
    },
  },
  {
    says: 'operating systems have titles of their own',
    gate: 'operatingsystems',
    indexes: ['operatingsystems_title_key'],
    prepare: async () => {
      const description = unique('System')
      return {
        accepted: 1,
        refused: 422,
        send: (one) => one.admin.post('/api/operatingsystems', { name: unique('os'), major: '1', description }),
      }
    },
  },
  {
    says: 'a user has a public key once',
    gate: 'ssh_keys',
    indexes: ['ssh_keys_fingerprint_key'],
    prepare: async (api) => {
      const { id } = await given(api.admin, 'user')
      const key = publicKey(randomBytes(32))
      return {
        accepted: 1,
        refused: 422,
        send: (one) => one.admin.post(`/api/users/${id}/ssh_keys`, { name: unique('key'), key }),
      }
    },
  },
  {
    says: 'contents whose labels are made of the same words get different ones',
    gate: 'contents',
    indexes: ['contents_label_key'],
    prepare: async (api) => {
      const words = ['a', 'b', 'c', 'd', 'e']
      const products: Shown[] = []
      for (let index = 1; index <= 4; index++)
        products.push(await given(api.admin, 'product', { label: words.slice(0, index).join('_') }))
      return {
        accepted: 4,
        again: false,
        send: (one, index) => {
          const label = words.slice(index + 1).join('_')
          const repository = { name: unique('labelled'), label, content_type: 'yum', product_id: products[index]?.id }
          return one.admin.post('/content/api/repositories', { repository })
        },
      }
    },
  },
  {
    says: 'a filter has an erratum once',
    gate: 'content_view_filter_rules',
    indexes: ['content_view_filter_rules_errata_id_key'],
    prepare: async (api) => {
      const { id } = await given(api.admin, 'content_view_filter', { type: 'erratum' })
      const rule = { errata_id: 'RHSA-2026:1' }
      return {
        accepted: 1,
        refused: 422,
        send: (one) => one.admin.post(`/content/api/content_view_filters/${id}/rules`, rule),
      }
    },
  },
  {
    says: 'a parameter of a class has one value for a match',
    gate: 'override_values',
    indexes: ['override_values_match_key'],
    prepare: async (api) => {
      const { id } = await importedParameter(api, { columns: { override: true } })
      const match = `fqdn=${(await given(api.admin, 'host')).name}`
      return {
        accepted: 1,
        refused: 500, // a client's error that the specification answers so (spec 7)
        send: (one) =>
          one.admin.post(`/api/smart_class_parameters/${id}/override_values`, {
            override_value: { match, value: 'a' },
          }),
      }
    },
  },
  {
    says: 'a composite view has a view once',
    gate: 'content_view_components',
    indexes: ['content_view_components_content_view_id_key'],
    prepare: async (api) => {
      const whole = await given(api.admin, 'content_view', { composite: true })
      const part = await given(api.admin, 'content_view')
      return {
        accepted: 1,
        refused: 422,
        send: (one) =>
          one.admin.put(`/content/api/content_views/${whole.id}/content_view_components/add`, {
            components: [{ content_view_id: part.id, latest: true }],
          }),
      }
    },
  },
  {
    says: 'no host group is below itself',
    gate: 'hostgroups',
    prepare: async (api) => {
      const groups = [await given(api.admin, 'hostgroup'), await given(api.admin, 'hostgroup')] as const
      return {
        accepted: 2,
        refused: 422,
        again: false,
        send: (one, index) =>
          one.admin.put(`/api/hostgroups/${groups[index % 2 ? 0 : 1].id}`, { parent_id: groups[index % 2 ? 1 : 0].id }),
      }
    },
  },
  {
    says: 'no user group is within itself',
    gate: 'usergroup_usergroups',
    prepare: async (api) => {
      const groups = [await given(api.admin, 'usergroup'), await given(api.admin, 'usergroup')] as const
      return {
        accepted: 2,
        refused: 422,
        again: false,
        send: (one, index) =>
          one.admin.put(`/api/usergroups/${groups[index % 2 ? 0 : 1].id}`, {
            usergroup_ids: [groups[index % 2 ? 1 : 0].id],
          }),
      }
    },
  },
  ...(['organization', 'location'] as const).flatMap((kind) => [
    {
      says: `no filter loses its last ${kind}`,
      gate: `${kind}s`,
      prepare: async (api: TestApi): Promise<Attempt> => {
        const place = await given(api.admin, kind)
        const role = await given(api.admin, 'role')
        const permission_ids = [await permissionId(api.admin, 'view_domains')]
        const filter = { role_id: role.id, permission_ids, override: true, [`${kind}_ids`]: [place.id] }
        return limiting(
          kind,
          place,
          (one) => one.admin.post('/api/filters', { filter }),
          sql`select from filters f where f.role_id = ${role.id} and not exists (
            select from ${sql.table(`filter_${kind}s`)} l where l.filter_id = f.id)`,
        )
      },
    },
    {
      says: `no role loses its last ${kind}`,
      gate: `${kind}s`,
      prepare: async (api: TestApi): Promise<Attempt> => {
        const place = await given(api.admin, kind)
        const name = unique('limited')
        return limiting(
          kind,
          place,
          (one, index) =>
            one.admin.post('/api/roles', { role: { name: `${name} ${index}`, [`${kind}_ids`]: [place.id] } }),
          sql`select from roles r where r.name like ${`${name} %`} and not exists (
            select from ${sql.table(`role_${kind}s`)} l where l.role_id = r.id)`,
        )
      },
    },
  ]),
  {
    says: 'the default of an operating system is of its kind',
    gate: 'templates',
    prepare: async (api) => {
      const template = await given(api.admin, 'provisioning_template')
      const systems = [await given(api.admin, 'operatingsystem'), await given(api.admin, 'operatingsystem')]
      const kinds = await rows<{ id: number }>(
        api.database.db,
        sql`select id from template_kinds where id <> ${template.template_kind_id} limit 1`,
      )
      return {
        accepted: 2,
        refused: 422,
        again: false,
        send: (one, index) =>
          index < 2
            ? one.admin.put(`/api/provisioning_templates/${template.id}`, { template_kind_id: kinds[0]?.id })
            : one.admin.post(`/api/operatingsystems/${systems[index - 2]?.id}/os_default_templates`, {
                os_default_template: {
                  provisioning_template_id: template.id,
                  template_kind_id: template.template_kind_id,
                },
              }),
        broken: sql`select from os_default_templates d join templates t on t.id = d.provisioning_template_id
          where t.template_kind_id is distinct from d.template_kind_id`,
      }
    },
  },
  {
    says: 'hosts of a collection are of its organization',
    gate: 'hosts',
    prepare: async (api) => {
      const site = await newSite(api)
      const [host] = await makeHosts(api, site)
      const collection = await given(api.admin, 'host_collection', { organization_id: site.id })
      const { id } = await given(api.admin, 'organization')
      return {
        accepted: 4,
        again: false,
        send: (one, index) =>
          index < 2
            ? one.admin.put(`/api/hosts/${host?.id}`, { host: { organization_id: id } })
            : one.admin.put(`/content/api/host_collections/${collection.id}/add_hosts`, { host_ids: [host?.id] }),
        broken: sql`select from host_collection_hosts l join hosts h on h.id = l.host_id
          join host_collections c on c.id = l.host_collection_id where c.organization_id is distinct from h.organization_id`,
      }
    },
  },
  ...(['organization', 'location'] as const).map((kind) => ({
    says: `records are changed while their ${kind} is deleted`,
    gate: `environment_${kind}s`,
    prepare: async (api: TestApi): Promise<Attempt> => {
      const place = await given(api.admin, kind)
      const { id } = await given(api.admin, 'environment', { [`${kind}_ids`]: [place.id] })
      return {
        accepted: 4,
        again: false,
        send: (one, index) =>
          index === 0
            ? one.admin.delete(`/api/${kind}s/${place.id}`)
            : one.admin.put(`/api/environments/${id}`, { name: unique(kind) }),
      }
    },
  })),
  {
    says: 'no report is asked for with a template that is deleted at once',
    gate: 'report_jobs',
    prepare: async (api) => {
      const { id } = await given(api.admin, 'report_template', { template: 'x' })
      const path = `/api/report_templates/${id}`
      return {
        accepted: 1,
        refused: 409,
        again: false,
        send: (one, index) =>
          index === 0 ? one.admin.delete(path) : one.admin.post(`${path}/schedule_report`, { report_format: 'json' }),
      }
    },
  },
  {
    says: 'an administrator is left',
    gate: 'users',
    prepare: async (api) => {
      const admins = []
      for (let index = 0; index < 3; index++) admins.push(await given(api.admin, 'user', { admin: true }))
      const { body } = await api.admin.get('/api/users/admin')
      const ids = [...admins.map(({ id }) => id), body.id]
      return {
        accepted: 3,
        refused: 422,
        again: false,
        send: (one, index) => one.admin.put(`/api/users/${ids[index]}`, { admin: false }),
        broken: sql`select where not exists (select from users where admin and not disabled and password is not null)`,
      }
    },
  },
]

function limiting(kind: string, place: Shown, limit: Attempt['send'], broken: Sql): Attempt {
  return {
    accepted: 1,
    again: false,
    send: (one, index) => (index < 2 ? one.admin.delete(`/api/${kind}s/${place.id}`) : limit(one, index)),
    broken,
  }
}

/** Registers hosts with a key that takes one of them. */
async function registering(api: TestApi, site: Site, key: object, refused: number): Promise<Attempt> {
  await newKey(api, site, 'limited', key)
  return { accepted: 1, refused, send: (one, index) => register(one, site, 'limited', clientBody(at(index))) }
}

function oneOf(api: TestApi, site: Site): Promise<Shown> {
  return given(api.admin, 'host_collection', { organization_id: site.id, max_hosts: 1, unlimited_hosts: false })
}

async function makeHosts(api: TestApi, site: Site): Promise<Shown[]> {
  const hosts = []
  for (let index = 0; index < 5; index++) hosts.push(await given(api.admin, 'host', { organization_id: site.id }))
  return hosts
}

function makeNamed(one: TestApi, name: string, index: number): Promise<Reply> {
  if (index % 2) return one.admin.post('/api/usergroups', { usergroup: { name } })
  const user = { login: name, mail: 'm@example.test', password: 'long enough', auth_source_id: 1 }
  return one.admin.post('/api/users', { user })
}
