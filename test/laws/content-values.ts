import fc from 'fast-check'
import type { Resource } from '../../src/kernel/definition.ts'
import { type Body, unique } from '../support/given.ts'
import type { Pool } from './values.ts'

/** Records below `/content/api` belong to the first organization, and refer to records of that one only. */
export const HOME = 1

/** The key under which the pool has hosts of that organization, and the Library. */
export const HOSTS_AT_HOME = 'host of the organization that there always is'
export const LIBRARY = 'environment that all others come after'

/** Keys that the schema does not require but the record does: their absence has errors of its own. */
export const ALSO_SENT: Readonly<Record<string, readonly string[]>> = { lifecycle_environment: ['prior_id'] }

/** Keys that are fixed at creation; a list of pairs also changes the pair, which is its first entry. */
export const FIXED: Readonly<Record<string, readonly string[]>> = {
  activation_key: ['organization_id', 'content_view_environments'],
  content_credential: ['organization_id'],
  content_view: ['organization_id', 'label', 'composite'],
  content_view_filter: ['content_view_id', 'type'],
  host_collection: ['organization_id'],
  lifecycle_environment: ['organization_id', 'label', 'prior_id'],
  product: ['organization_id', 'label'],
  repository: ['label', 'product_id', 'content_type'],
}

/** Fields of registered hosts and of groups within one organization, which test/api and test/dialect test. */
export const ON_ITS_OWN = new Set([
  'host.content_facet',
  'host.subscription_facet',
  'host.host_collections',
  'hostgroup.content_view_environment',
])

type Values = (pool: Pool, texts: fc.Arbitrary<string>) => fc.Arbitrary<unknown>

const label: Values = () => fc.constant(null).map(() => unique('Label_'))
const always =
  (value: unknown): Values =>
  () =>
    fc.constant(value)
/** Texts whose blank is null. */
const words: Values = (_pool, texts) => texts.map((text) => (text === '' ? null : text))
const limit: Values = () => fc.option(fc.integer({ min: 100, max: 2_147_483_647 }))

/** Values of fields below `/content/api` whose rules are not part of the schema. */
export const CONTENT_VALUES: Readonly<Record<string, Values>> = {
  'activation_key.name': (_pool, texts) => texts.map((text) => text.replaceAll(',', '').trim()),
  // test/api tests which view is in which environment, further pairs, and what is offered.
  'activation_key.environment': always(null),
  'activation_key.content_view': ({ content_view = [] }) => fc.constantFrom(null, ...content_view),
  'activation_key.content_view_environments': always([]),
  'activation_key.max_hosts': limit,
  'activation_key.release_version': always(null),
  'activation_key.service_level': words,
  'activation_key.purpose_usage': words,
  'activation_key.purpose_role': words,
  'activation_key.purpose_addons': () => fc.constantFrom([], ['Addön'], ['שלום']),
  'activation_key.content_overrides': always([]),
  'activation_key.subscriptions': always([]),
  'content_credential.content': () => fc.constantFrom('a public key', 'שלום', 'mQENB\nü'),
  'content_view.label': label,
  'content_view.composite': always(false),
  'content_view.auto_publish': always(false),
  'content_view.components': always([]),
  'content_view_filter.type': always('rpm'),
  'content_view_filter.original_module_streams': always(false),
  'content_view_filter.repositories': always([]),
  'host_collection.hosts': ({ [HOSTS_AT_HOME]: ids = [] }) => fc.subarray([...ids]),
  'host_collection.max_hosts': limit,
  'lifecycle_environment.label': label,
  'lifecycle_environment.prior': ({ [LIBRARY]: ids = [] }) => fc.constantFrom(...ids),
  'product.label': label,
  'repository.label': label,
  'repository.content_type': always('yum'),
  'repository.url': () => fc.constantFrom(null, 'https://example.test/ü', 'file:///srv/content'),
  'repository.arch': () => fc.constantFrom('noarch', 'x86_64'),
  'repository.download_policy': () => fc.constantFrom('immediate', 'on_demand'),
  'repository.mirroring_policy': () => fc.constantFrom('additive', 'mirror_complete'),
  'repository.major': () => fc.option(fc.nat(99)),
  'repository.minor': () => fc.constantFrom(null, '8.4', '7Server'),
  'repository.ignorable_content': () => fc.subarray(['rpm', 'srpm']),
  'repository.download_concurrency': () => fc.option(fc.integer({ min: 1, max: 20 })),
  // test/api/repositories tests fields of other types of content, and combinations.
  'repository.docker_upstream_name': always(null),
  'repository.docker_tags_whitelist': always([]),
  'repository.deb_releases': always(null),
  'repository.deb_components': always(null),
  'repository.deb_architectures': always(null),
  'repository.ansible_collection_requirements': always(null),
  'repository.ansible_collection_auth_url': always(null),
  'repository.upstream_username': words,
  'repository.http_proxy_policy': () => fc.constantFrom('global_default_http_proxy', 'none'),
  'repository.http_proxy': always(null),
  'repository.gpg_key': always(null),
  'repository.ssl_ca_cert': always(null),
  'repository.ssl_client_cert': always(null),
  'repository.ssl_client_key': always(null),
  'repository.os_versions': () => fc.subarray(['rhel-8', 'rhel-9']),
}

/** Makes a limit consistent with the switch that enables it. */
export function withLimit({ placed }: Resource, body: Body): Body {
  if (!placed.some(({ name }) => name === 'unlimited_hosts')) return body
  const { unlimited_hosts: _either, ...others } = body
  return 'max_hosts' in body ? { ...others, unlimited_hosts: body.max_hosts === null } : others
}
