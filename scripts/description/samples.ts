import type { Resource } from '../../src/kernel/definition.ts'

/** How to try out a resource, where its declaration does not tell. */
export interface Sample {
  /** Keys of a new record besides required ones. */
  readonly create?: Readonly<Record<string, unknown>>
  /** Keys of a change; by default the label. */
  readonly update?: Readonly<Record<string, unknown>>
  /** The id of an existing record, for resources without create; by default the first one. */
  readonly id?: string
  /** The key that names a record in paths; by default the id. */
  readonly namedBy?: string
  /** The search of the examples, which also limits the permissions of a user; it matches the sample. */
  readonly search?: string
  /** The order of the examples; by default by id. */
  readonly order?: string
}

/** The host of the reports. */
export const REPORTING_HOST = 'reporting.example.test'

/** Samples by resource. `$` in a text becomes a number, so that names are unique. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  operatingsystem: { create: { major: '12' }, update: { description: 'Example $' }, search: 'name ~ ex' },
  image: { search: 'name ~ ex' },
  host: { create: { managed: false } },
  repository_set: { search: 'name ~ ex', order: 'name DESC' },
  repository: { create: { content_type: 'yum' }, search: 'name ~ ex' },
  smart_proxy: {
    create: { url: 'http://127.0.0.1:1/$', runner: 'ssh' },
    search: 'name ~ ex',
  },
  http_proxy: { create: { url: 'http://proxy.example.test:3128' }, search: 'name ~ ex' },
  webhook: {
    create: { target_url: 'https://hooks.example.test/$', events: ['host.*'] },
    update: { enabled: false },
    search: 'name ~ ex',
  },
  webhook_delivery: { search: 'id > 0' },
  bookmark: { create: { controller: 'hosts', query: 'name = example' }, search: 'name ~ ex' },
  domain: { create: { name: 'example$.test' }, update: { fullname: 'Example' }, search: 'name ~ ex' },
  subnet: { create: { network: '192.0.2.0', mask: '255.255.255.0' }, search: 'name ~ ex' },
  medium: { create: { path: 'https://example.test/$' }, search: 'name ~ ex' },
  provisioning_template: { create: { template_kind_id: 1 }, search: 'name ~ ex' },
  template_combination: { update: { hostgroup_id: 0 } },
  os_default_template: { create: { template_kind_id: 1 }, update: { template_kind_id: 1 } },
  smart_class_parameter: { update: { description: 'Example $' } },
  override_value: {
    create: { match: 'os=Example $', value: 'example' },
    update: { value: 'other $' },
    search: 'id > 0',
  },
  config_rollout: { create: { search: 'has configmaster', parallel: 10 }, search: 'id > 0' },
  config_run: { search: 'id > 0' },
  config_report: {
    create: { host: REPORTING_HOST, reported_at: '2026-03-31T14:00:00Z', status: { failed: 1 }, metrics: {} },
    search: 'id > 0',
  },
  second_factor: { create: { kind: 'totp' }, search: 'id > 0' },
  content_credential: { create: { content_type: 'gpg_key', content: 'a public key' }, search: 'name ~ ex' },
  lifecycle_environment: { create: { prior_id: 2 }, search: 'name ~ ex' },
  content_view_version: { update: { description: 'Example $' }, search: 'id > 0' },
  content_view_component: { search: 'id > 0' },
  content_view_filter: { create: { type: 'rpm' }, search: 'name ~ ex' },
  content_view_filter_rule: { create: { name: 'example$' }, update: { name: 'other$' }, search: 'id > 0' },
  interface: { search: 'id > 0' },
  user: {
    create: { mail: 'example@example.test', password: 'long enough', auth_source_id: 1 },
    update: { firstname: 'Example' },
    search: 'login ~ ex',
  },
  filter: { create: { permission_ids: [1] }, update: { search: 'id > 1' }, search: 'id > 0' },
  permission: { search: 'name ~ view' },
  setting: { id: 'entries_per_page', update: { value: 30 }, search: 'name ~ entries' },
  audit: { search: 'action = create' },
  auth_source: { search: 'name ~ Internal' },
  auth_source_internal: { search: 'name ~ Internal' },
  auth_source_oidc: { create: { issuer: 'https://login$.example.test' }, update: { client_id: 'example' } },
  user_identity: { create: { subject: 'example$' }, update: {} },
  auth_source_external: { id: '3', update: { name: 'Example' }, search: 'name ~ ex' },
  mail_notification: { search: 'name ~ host' },
  user_mail_notification: {
    create: { mail_notification_id: 1, interval: 'Daily' },
    update: { interval: 'Weekly' },
    namedBy: 'mail_notification_id',
  },
  ssh_key: {
    create: {
      name: 'laptop$',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINGIAvd3/0Z3JLnt7sPKQYGWrsn7zXENOu1Fk4vY3C5E',
    },
    update: {},
  },
  table_preference: { create: { name: 'hosts$', columns: ['name'] }, update: { columns: ['name', 'os'] } },
  external_usergroup: { create: { name: 'example$', auth_source_id: 3 }, update: { name: 'other$' } },
}

/** Yields the search of a resource: that of the sample, otherwise one for names like the sample's. */
export function searchOf({ name, label }: Resource): string {
  return SAMPLES[name]?.search ?? (label ? `${label} ~ ex` : 'id > 0')
}

/** Builds a body that creates a record: every required text, and a link to `parent(resource)` for every required link. */
export async function createBody(
  resource: Resource,
  parent: (resource: string) => Promise<number>,
  number: number,
): Promise<Record<string, unknown>> {
  const own = numberBody(SAMPLES[resource.name]?.create ?? {}, number)
  const body: Record<string, unknown> = {}
  for (const { name, field, at, column } of resource.placed) {
    const key = column?.name ?? name
    if (!field.required || key in own || Object.keys(field.writable(at)).length === 0) continue
    body[key] = field.refersTo ? await parent(field.refersTo.resource) : `example${number}`
  }
  return { ...body, ...own }
}

/** Builds a body that changes a record. */
export function updateBody({ name, label = 'name' }: Resource, number: number): Record<string, unknown> {
  const key = label === 'title' ? 'name' : label
  return numberBody(SAMPLES[name]?.update ?? { [key]: 'example$' }, number)
}

function numberBody(body: Readonly<Record<string, unknown>>, number: number): Record<string, unknown> {
  const entries = Object.entries(body).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replace('$', String(number)) : value,
  ])
  return Object.fromEntries(entries)
}
