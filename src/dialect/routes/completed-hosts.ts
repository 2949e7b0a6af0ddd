import { isMembers, type Members } from '../../lib/values.ts'
import { type Completions, withKeys, withKeysInEach } from './completions.ts'

// States of hosts that this service does not determine: clients read these keys unconditionally, and null means unknown.
const STATES: Members = Object.fromEntries(
  [
    'execution',
    'errata',
    'traces',
    'purpose',
    'purpose_sla',
    'purpose_role',
    'purpose_usage',
    'purpose_addons',
  ].flatMap((state) => [
    [`${state}_status`, null],
    [`${state}_status_label`, null],
  ]),
)

/** Packages and errata of hosts are not kept, so that all counts are zero (docs/contract.md). */
const ERRATA: Members = { security: 0, bugfix: 0, enhancement: 0, total: 0 }
const CONTENT_FACET: Members = {
  errata_counts: { ...ERRATA, applicable: ERRATA },
  ...Object.fromEntries(
    ['deb', 'package', 'module_stream'].flatMap((kind) => [
      [`applicable_${kind}_count`, 0],
      [`upgradable_${kind}_count`, 0],
    ]),
  ),
  katello_agent_installed: null,
  katello_agent_enabled: null,
  katello_tracer_installed: null,
  katello_tracer_rpm_available: null,
  remote_execution_by_default: null,
  permissions: null,
}

/** Permissions for features that this service does not have: nobody has them. */
const PERMISSIONS: Members = Object.fromEntries(
  [
    'cockpit_hosts',
    'play_roles_on_host',
    'saltrun_hosts',
    'view_snapshots',
    'create_snapshots',
    'edit_snapshots',
    'destroy_snapshots',
    'revert_snapshots',
    'view_discovered_hosts',
    'submit_discovered_hosts',
    'auto_provision_discovered_hosts',
    'provision_discovered_hosts',
    'edit_discovered_hosts',
    'destroy_discovered_hosts',
  ].map((name) => [name, false]),
)

const LISTED: Completions['list'] = {
  puppet_status: 0,
  // Hosts get tokens by registration commands, and no record shows one.
  registration_token: null,
  content_facet_attributes: ({ content_facet_attributes: facet }) => withKeys(facet, CONTENT_FACET),
}

/** Keys of a host that describe its content. */
const ASKED: Completions['asked'] = {
  ...LISTED,
  ...STATES,
  subscription_global_status: null,
  display_name: ({ name }) => name,
  cockpit_url: null,
  compute_resource_provider: null,
}

const ONE: Completions['one'] = {
  ...ASKED,
  reported_data_attributes: null,
  puppet_status: ({ configuration_status }) => configuration_status ?? 0,
  openscap_proxy_id: null,
  openscap_proxy_name: null,
  openscap_proxy: null,
  operatingsystem_family: null,
  operatingsystem_major: null,
  facts: null,
  content_view: partOfFacet('content_view'),
  lifecycle_environment: partOfFacet('lifecycle_environment'),
  interfaces: ({ interfaces }) => withKeysInEach(interfaces, { execution: null }),
  permissions: ({ permissions }) => withKeys(permissions, PERMISSIONS),
  puppet: ({ puppetclasses, config_groups, all_puppetclasses }) => ({
    puppetclasses: puppetclasses ?? [],
    config_groups: config_groups ?? [],
    all_puppetclasses: all_puppetclasses ?? [],
  }),
}

function partOfFacet(key: string) {
  return ({ content_facet_attributes: facet }: Members) => (isMembers(facet) ? facet[key] : undefined)
}

/** Keys of hosts for features that this service does not have; their values say that there is nothing. */
export const HOSTS: Completions = {
  list: LISTED,
  asked: ASKED,
  one: ONE,
  row: {
    discovery_rule_id: null,
    puppet_attributes: null,
    creator_id: null,
    registration_token: null,
    reported_data_attributes: null,
  },
}
