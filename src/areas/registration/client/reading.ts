import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { type Consumer, entitlementStatusOf } from './consumer.ts'
import type { Endpoint } from './endpoint.ts'

/** Presents whether the subscriptions of a host cover its products (content-api §5.4). */
export function presentCompliance(consumer: Consumer, now: Date): unknown {
  const status = entitlementStatusOf(consumer)
  return {
    date: now.toISOString(),
    compliantUntil: null,
    status,
    compliant: status !== 'invalid',
    compliantProducts: {},
    partiallyCompliantProducts: {},
    partialStacks: {},
    nonCompliantProducts: consumer.uncovered,
    reasons: consumer.uncovered.map((product) => ({
      key: 'NOTCOVERED',
      message: `Not supported by a valid subscription: ${product}`,
      attributes: { product_id: product },
    })),
    productComplianceDateRanges: {},
  }
}

/** Presents the system purpose of a host. It is always fulfilled, because the keys or the host itself set it. */
export function presentPurpose({ owner }: Consumer, now: Date): unknown {
  return {
    date: now.toISOString(),
    status: owner.content_access_mode === 'org_environment' ? 'disabled' : 'matched',
    compliant: true,
    nonCompliantRole: null,
    nonCompliantSLA: null,
    nonCompliantUsage: null,
    nonCompliantServiceType: null,
    nonCompliantAddOns: [],
    compliantRole: {},
    compliantAddOns: {},
    compliantSLA: {},
    compliantUsage: {},
    compliantServiceType: {},
    reasons: [],
  }
}

/** Answers when the accessible content of a host last changed; 304 for clients that know that already. */
export function answerAccessibleContent(consumer: Consumer, since: unknown): Answer {
  const changed = new Date(consumer.updated_at.replace('+0000', 'Z'))
  const known = typeof since === 'string' ? Date.parse(since) : Number.NaN
  const headers = { 'last-modified': changed.toUTCString() }
  if (known >= changed.getTime()) return { status: 304, headers }
  return { status: 200, headers, body: { lastUpdate: consumer.updated_at, contentListing: {} } }
}

/** Loads the releases of the repositories in the pairs of a host. */
export async function loadReleases(ctx: Context, { host }: Consumer): Promise<string[]> {
  const found = await rows<{ release: string }>(
    ctx.db,
    sql`
      select distinct r.minor as release
      from host_environments h
      join content_view_environments l on l.content_view_id = h.content_view_id and l.environment_id = h.environment_id
      join content_views v on v.id = h.content_view_id
      join repositories r on r.id in (
        select c.repository_id from content_view_version_repositories c where c.content_view_version_id = l.content_view_version_id
        union all
        select x.id from repositories x join products p on p.id = x.product_id where v."default" and p.organization_id = v.organization_id)
      where h.host_id = ${host} and r.minor is not null order by 1`,
  )
  return found.map(({ release }) => release)
}

/**
 * Lists each path with the word by which clients look for it, which is its last one without a colon. Of the paths with the
 * same word the shortest comes last, because clients store them by word.
 */
export function listResources(endpoints: readonly Endpoint[]): unknown {
  const paths = [...new Set(endpoints.map(({ path }) => path.slice('/rhsm'.length)))].filter((path) => path !== '')
  return paths
    .toSorted((a, b) => b.length - a.length)
    .map((href) => ({ rel: href.split('/').findLast((word) => !word.startsWith(':')), href }))
}

const CAPABILITIES = [
  'instance_multiplier',
  'org_level_content_access',
  'syspurpose',
  'combined_reporting',
  'multi_environment',
] as const

/** Builds the status that clients read first: what they may use of the service. */
export function buildStatus(version: string): unknown {
  return {
    result: true,
    version,
    release: '1',
    standalone: true,
    timeUTC: new Date().toISOString(),
    mode: 'NORMAL',
    modeReason: null,
    modeChangeTime: null,
    rulesSource: 'default',
    rulesVersion: '5.44',
    managerCapabilities: CAPABILITIES,
  }
}
