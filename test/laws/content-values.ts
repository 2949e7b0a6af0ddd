import fc from 'fast-check'
import type { Resource } from '../../src/kernel/definition.ts'
import { type Body, unique } from '../support/given.ts'
import type { Pool } from './values.ts'

/** Records below `/content/api` are of the organization that there always is, and point at others of it only. */
export const HOME = 1

/** Where the pool has hosts of that organization, and the beginning of its environments. */
export const HOSTS_AT_HOME = 'host of the organization that there always is'
export const LIBRARY = 'environment that all others come after'

/** Keys that the schema takes but the record needs: said by errors of their own. */
export const ALSO_SENT: Readonly<Record<string, readonly string[]>> = { lifecycle_environment: ['prior_id'] }

/** Keys that are decided when a record is made; a list of pairs also changes the pair, which is its first entry. */
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

/** What registered hosts get, and where all depends on one organization: test/api is about them. */
export const ON_ITS_OWN = new Set(['host.content_facet', 'host.subscription_facet', 'host.host_collections'])

type Values = (pool: Pool, texts: fc.Arbitrary<string>) => fc.Arbitrary<unknown>

const label: Values = () => fc.constant(null).map(() => unique('Label_'))
const always =
  (value: unknown): Values =>
  () =>
    fc.constant(value)
/** A text whose blank is null. */
const words: Values = (_pool, texts) => texts.map((text) => (text === '' ? null : text))
const limit: Values = () => fc.option(fc.integer({ min: 100, max: 2_147_483_647 }))

/** Fields below `/content/api` whose rules the schema does not tell. */
export const CONTENT_VALUES: Readonly<Record<string, Values>> = {
  'activation_key.name': (_pool, texts) => texts.map((text) => text.replaceAll(',', '').trim()),
  // Which view is in which environment, what else is in the list, and what is offered: test/api is about that.
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
  // What other types of content have, and what goes together: test/api/repositories is about that.
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
  'repository.os_versions': () => fc.subarray(['rhel-8', 'rhel-9']),
}

/** A limit and whether there is one say the same. */
export function withLimit({ placed }: Resource, body: Body): Body {
  if (!placed.some(({ name }) => name === 'unlimited_hosts')) return body
  const { unlimited_hosts: _either, ...others } = body
  return 'max_hosts' in body ? { ...others, unlimited_hosts: body.max_hosts === null } : others
}
