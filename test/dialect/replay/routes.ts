import type { Exchange } from './exchanges.ts'

/** A path segment that names a record of a collection. */
export interface Step {
  readonly collection: string
  readonly segment: string
}

/** The parts of a recorded URL. */
export interface Target {
  /** `/katello/api`, `/foreman_puppet/api` or `/api`, without the version. */
  readonly prefix: string
  /** The records in the path, `organizations/4`, including the last one. */
  readonly steps: readonly Step[]
  /** The requested collection, or null when the last step is requested. */
  readonly collection: string | null
  /** What follows the record or collection without being one, `publish`. */
  readonly action: string | null
  readonly query: URLSearchParams
}

const PREFIX = /^(\/katello\/api|\/foreman_puppet\/api|\/api)(?:\/v2)?\//

/** Words behind a record or a collection that are not collections. */
const ACTIONS = new Set([
  ...['add', 'add_hosts', 'add_subscriptions', 'assign_ansible_roles', 'autosign', 'bulk', 'bulk_delete_versions'],
  ...['build_pxe_default', 'clone', 'content_override', 'copy', 'delete_manifest', 'export', 'facts', 'history'],
  ...['import', 'import_puppetclasses', 'import_subnets', 'incremental_update', 'mail_notifications'],
  ...['manifest_history', 'post_index', 'product_content', 'promote', 'publish', 'puppetrun', 'rebuild_config'],
  ...['refresh', 'remove', 'remove_filters', 'remove_hosts', 'remove_subscriptions', 'republish_repositories', 'sync'],
  ...['test', 'upload', 'ping', 'status', 'statuses', 'subscriptions.csv', 'ansible_roles'],
])

/** Parses a recorded URL. */
export function readTarget(url: string): Target {
  const [path = '', search = ''] = url.split('?', 2)
  const prefix = PREFIX.exec(path)?.[1] ?? ''
  const segments = path.replace(PREFIX, '').split('/').filter(Boolean)
  const steps: Step[] = []
  let collection: string | null = null
  let action: string | null = null
  for (const segment of segments) {
    if (ACTIONS.has(segment) && !(segment === 'test' && collection === 'autosign')) action = segment
    else if (action !== null) action += `/${segment}`
    else if (collection === null) collection = segment
    else {
      steps.push({ collection, segment })
      collection = null
    }
  }
  return { prefix, steps, collection, action, query: new URLSearchParams(search) }
}

/** Yields the route of an exchange for scores: `PUT /api/architectures/:id`. */
export function routeOf({ method, url }: Exchange): string {
  const { prefix, steps, collection, action } = readTarget(url)
  const path = [...steps.map((step) => `${step.collection}/:id`), collection, action?.replace(/\/.*/, '/:id')]
  return `${method} ${prefix}/${path.filter(Boolean).join('/')}`
}

/** Yields the id at the beginning of a segment, `4` of `4-Empty%20Organization`; null when there is none. */
export function idOf(segment: string): number | null {
  const digits = /^(\d+)(?:-|$)/.exec(segment)
  return digits ? Number(digits[1]) : null
}
