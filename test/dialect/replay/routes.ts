import type { Exchange } from './exchanges.ts'

/** A path segment that names a record of a collection. */
export interface Step {
  readonly collection: string
  readonly segment: string
}

/** What a recorded URL says. */
export interface Target {
  /** `/katello/api`, `/foreman_puppet/api` or `/api`, without the version. */
  readonly prefix: string
  /** Records named on the way, `organizations/4`, the last one included. */
  readonly steps: readonly Step[]
  /** The collection whose records are asked for, or null when the last step is the one. */
  readonly collection: string | null
  /** What follows the record or collection and is neither, `publish`. */
  readonly action: string | null
  readonly query: URLSearchParams
}

const PREFIX = /^(\/katello\/api|\/foreman_puppet\/api|\/api)(?:\/v2)?\//

/** Words that follow a record or a collection and name no collection of records. */
const ACTIONS = new Set([
  ...['add', 'add_hosts', 'add_subscriptions', 'assign_ansible_roles', 'autosign', 'bulk', 'bulk_delete_versions'],
  ...['build_pxe_default', 'clone', 'content_override', 'copy', 'delete_manifest', 'export', 'facts', 'history'],
  ...['import', 'import_puppetclasses', 'import_subnets', 'incremental_update', 'mail_notifications'],
  ...['manifest_history', 'post_index', 'product_content', 'promote', 'publish', 'puppetrun', 'rebuild_config'],
  ...['refresh', 'remove', 'remove_filters', 'remove_hosts', 'remove_subscriptions', 'republish_repositories', 'sync'],
  ...['test', 'upload', 'ping', 'status', 'statuses', 'subscriptions.csv', 'ansible_roles'],
])

/** Takes a recorded URL apart. */
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

/** The route of an exchange, for scores: `PUT /api/architectures/:id`. */
export function routeOf({ method, url }: Exchange): string {
  const { prefix, steps, collection, action } = readTarget(url)
  const path = [...steps.map((step) => `${step.collection}/:id`), collection, action?.replace(/\/.*/, '/:id')]
  return `${method} ${prefix}/${path.filter(Boolean).join('/')}`
}

/** The id that a segment begins with, `4` of `4-Empty%20Organization`; null when it names its record otherwise. */
export function idOf(segment: string): number | null {
  const digits = /^(\d+)(?:-|$)/.exec(segment)
  return digits ? Number(digits[1]) : null
}
