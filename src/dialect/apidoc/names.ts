import type { Route } from '../../requests/route.ts'
import { translateName } from '../names.ts'

/** Where clients look for a route: under a resource and an action. */
export interface ActionAddress {
  readonly resource: string
  readonly action: string
  /** The described path, where its segments have other names. */
  readonly path?: string
}

/** Yields the resource and action of a route; null for routes that are not described. */
export function actionAddressOf({ id, group, path }: Pick<Route, 'id' | 'group' | 'path'>): ActionAddress | null {
  const words = id.split('.')
  const last = words.at(-1) ?? id
  const stated = PLACES[`${group}.${last}`]
  if (stated !== undefined) return stated
  if (last === 'auto_complete_search' || NOT_DESCRIBED.has(group)) return null
  const resource = RESOURCES[group] ?? translateName('theirs', group)
  return { resource, action: ACTIONS[last] ?? (translateName('theirs', last.replace(/^list_/, '')) || path) }
}

/** Names of the operations. */
const ACTIONS: Readonly<Record<string, string>> = { list: 'index', delete: 'destroy' }

/** Resources whose names cannot be translated part by part. */
const RESOURCES: Readonly<Record<string, string>> = {
  tasks: 'foreman_tasks',
  content_organizations: 'organizations',
}

/** Routes that clients do not know, or that they use without looking them up. */
const NOT_DESCRIBED: ReadonlySet<string> = new Set([
  'session',
  'node',
  'config_runs',
  'config_rollouts',
  'class_imports',
  'user_mail_notifications',
])

/** Routes that are described under another resource or action. */
const PLACES: Readonly<Record<string, ActionAddress | null>> = {
  'service.ping': { resource: 'ping', action: 'ping' },
  'service.current_user': { resource: 'users', action: 'show_current' },
  'service.livez': null,
  'service.readyz': null,
  'service.batch': null,
  'service.openapi': null,
  'service.index': null,
  'service.status': null,
  'service.login_text': null,
  'service.current_permissions': null,
  'subscriptions.csv': null,
  'hosts.list_configclass_ids': {
    resource: 'host_classes',
    action: 'index',
    path: '/api/hosts/:host_id/puppetclass_ids',
  },
  'hosts.add_configclass_id': {
    resource: 'host_classes',
    action: 'create',
    path: '/api/hosts/:host_id/puppetclass_ids',
  },
  'hosts.remove_configclass_id': {
    resource: 'host_classes',
    action: 'destroy',
    path: '/api/hosts/:host_id/puppetclass_ids/:id',
  },
  'hostgroups.list_configclass_ids': {
    resource: 'hostgroup_classes',
    action: 'index',
    path: '/api/hostgroups/:hostgroup_id/puppetclass_ids',
  },
  'hostgroups.add_configclass_id': {
    resource: 'hostgroup_classes',
    action: 'create',
    path: '/api/hostgroups/:hostgroup_id/puppetclass_ids',
  },
  'hostgroups.remove_configclass_id': {
    resource: 'hostgroup_classes',
    action: 'destroy',
    path: '/api/hostgroups/:hostgroup_id/puppetclass_ids/:id',
  },
  'hosts.host_collections': {
    resource: 'hosts',
    action: 'host_collections',
    path: '/api/hosts/:host_id/host_collections',
  },
  'activation_keys.releases': { resource: 'activation_keys', action: 'available_releases' },
  'content_organizations.enable_simple_content_access': { resource: 'simple_content_access', action: 'enable' },
  'content_organizations.disable_simple_content_access': { resource: 'simple_content_access', action: 'disable' },
  'content_organizations.simple_content_access_eligible': { resource: 'simple_content_access', action: 'eligible' },
  'content_organizations.simple_content_access_status': { resource: 'simple_content_access', action: 'status' },
  'content_views.history': { resource: 'content_view_histories', action: 'index' },
  'content_view_components.add': { resource: 'content_view_components', action: 'add_components' },
  'content_view_components.remove': { resource: 'content_view_components', action: 'remove_components' },
  'personal_access_tokens.revoke': { resource: 'personal_access_tokens', action: 'destroy' },
  'smart_proxies.add_machine': {
    resource: 'smart_proxy_hosts',
    action: 'update',
    path: '/api/smart_proxies/:smart_proxy_id/hosts/:id',
  },
  'smart_proxies.remove_machine': {
    resource: 'smart_proxy_hosts',
    action: 'destroy',
    path: '/api/smart_proxies/:smart_proxy_id/hosts/:id',
  },
  'smart_proxies.import_configclasses_of_environment': { resource: 'smart_proxies', action: 'import_puppetclasses' },
  'hosts.configrun': { resource: 'puppet_hosts', action: 'puppetrun' },
  'hosts.register': { resource: 'host_subscriptions', action: 'create' },
  'hosts.unregister': {
    resource: 'host_subscriptions',
    action: 'destroy',
    path: '/api/hosts/:host_id/subscriptions',
  },
  'hosts.subscriptions': {
    resource: 'host_subscriptions',
    action: 'index',
    path: '/api/hosts/:host_id/subscriptions',
  },
  'hosts.product_content': {
    resource: 'host_subscriptions',
    action: 'product_content',
    path: '/api/hosts/:host_id/subscriptions/product_content',
  },
  'hosts.add_subscriptions': {
    resource: 'host_subscriptions',
    action: 'add_subscriptions',
    path: '/api/hosts/:host_id/subscriptions/add_subscriptions',
  },
  'hosts.remove_subscriptions': {
    resource: 'host_subscriptions',
    action: 'remove_subscriptions',
    path: '/api/hosts/:host_id/subscriptions/remove_subscriptions',
  },
  'hosts.auto_attach': {
    resource: 'host_subscriptions',
    action: 'auto_attach',
    path: '/api/hosts/:host_id/subscriptions/auto_attach',
  },
  'hosts.content_override': {
    resource: 'host_subscriptions',
    action: 'content_override',
    path: '/api/hosts/:host_id/subscriptions/content_override',
  },
  'hosts.delete_found': { resource: 'hosts_bulk_actions', action: 'bulk_destroy' },
  'host_power.power': { resource: 'hosts', action: 'power' },
  'host_power.power_status': { resource: 'hosts', action: 'power_status' },
}

/** Path segments that clients know by another name in some resources. */
const SEGMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  table_preferences: { id: 'name' },
  content_view_components: { content_view_id: 'composite_content_view_id' },
}

/** Yields the parameter name with which clients fill a path segment. */
export function translateSegment(group: string, ours: string): string {
  return SEGMENTS[group]?.[ours] ?? translateName('theirs', ours)
}
