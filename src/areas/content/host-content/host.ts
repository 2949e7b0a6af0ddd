import { type Context, inTransaction } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  type Action,
  type Draft,
  findLocked,
  type Resource,
  readBack,
  type Stored,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { type HostFields, selectEffectiveColumn } from '../../inventory/index.ts'
import { createHostRecords, uncovered, unregister, VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import { expressionsOf, GLOBAL, type StatusKind } from '../../reports/index.ts'
import { answerQuietly } from '../shared/quietly.ts'
import { collectionsOfHost, setCollections } from './collections.ts'
import { type ContentFacetBody, contentFacet } from './content-facet.ts'
import { recordHostChange } from './content-host.ts'
import { hostContentOverride } from './content-override.ts'
import { hostEntitling } from './entitling.ts'
import { hostProductContent } from './product-content.ts'
import { registerByUser } from './register.ts'
import { contentSearch } from './search.ts'
import { subscriptionFacet } from './subscription-facet.ts'
import { hostSubscriptions } from './subscriptions.ts'

/**
 * Extends the writes of hosts: a host takes the content view of its group, and cannot change its organization while it
 * has content of the present one.
 */
const hostContentWrites: WriteWrapper<HostFields & FacetFields> = {
  keepsCreated: true,
  async create(ctx, draft, next, resource) {
    const id = await next(draft)
    await handDown(ctx, resource, id, draft)
    return id
  },
  async update(ctx, stored, draft, next, resource) {
    await refuseOrganizationChange(ctx, stored, draft)
    await next(draft)
    if (draft.hostgroup !== stored.hostgroup_id) await handDown(ctx, resource, stored.id, draft)
  },
}

/** The field of a host about its pairs. */
type FacetFields = { readonly content_facet: ReturnType<typeof contentFacet> }

/**
 * Gives a host without a content view the view of its new group, unless the request sets one. The view has to belong to
 * the organization of the host and to be in the environment.
 */
async function handDown(
  ctx: Context,
  hosts: Resource,
  id: number,
  draft: Draft<FacetFields & Pick<HostFields, 'hostgroup'>>,
): Promise<void> {
  const { hostgroup, content_facet: facet } = draft
  if (!hostgroup || isSaid(facet)) return
  const given = await row<{ name: string; label: string }>(
    ctx.db,
    sql`
      with given as (
        insert into host_environments (host_id, position, content_view_id, environment_id)
        select h.id, 0, p.content_view_id, p.environment_id
        from hosts h
        join hostgroups g on g.id = ${hostgroup}::bigint
        join content_view_environments p
          on p.content_view_id = ${selectEffectiveColumn('g', 'content_view_id')}
          and p.environment_id = ${selectEffectiveColumn('g', 'lifecycle_environment_id')}
        join content_views w on w.id = p.content_view_id and w.organization_id = h.organization_id
        where h.id = ${id} and not exists (select from host_environments l where l.host_id = h.id)
        returning host_id, content_view_id, environment_id
      )
      select h.name, ${VIEW_ENVIRONMENT_LABEL} as label
      from given l join hosts h on h.id = l.host_id join content_views v on v.id = l.content_view_id
      join lifecycle_environments e on e.id = l.environment_id`,
  )
  if (given)
    await recordHostChange(ctx, hosts, { id, name: given.name }, { content_view_environments: [[], [given.label]] })
}

/** Whether a request decides about pairs: it sends null, a list or a complete pair. Half a pair is completed from the group. */
function isSaid(facet: ContentFacetBody | undefined): boolean {
  if (facet === undefined) return false
  if (facet === null || facet.content_view_environments !== undefined) return true
  return facet.content_view_id !== undefined && facet.lifecycle_environment_id !== undefined
}

type Moving = Pick<HostFields, 'organization'>

const HAS_CONTENT =
  'cannot be changed while the host is registered, has content of its organization or is in its host collections: unregister it first'

/**
 * Refuses to change the organization of a host that has content of its present organization. The lock waits for requests that
 * add content now, and later ones wait for it. {@throws Failure} invalid
 */
async function refuseOrganizationChange(
  tx: Context,
  stored: Stored<Moving>,
  { organization }: Draft<Moving>,
): Promise<void> {
  const before = stored.organization_id
  if (organization === undefined || before === null || organization === before) return
  const { id } = stored
  await sql`select from hosts where id = ${id} for update`.execute(tx.db)
  const found = await row(
    tx.db,
    sql`select from registrations where host_id = ${id}
      union all select from host_environments where host_id = ${id}
      union all select from host_content_overrides where host_id = ${id}
      union all select from host_entitlements where host_id = ${id}
      union all select from host_collection_hosts where host_id = ${id}
      limit 1`,
  )
  if (found) throw invalid({ organization_id: [HAS_CONTENT] }, id)
}

/**
 * `DELETE /api/hosts/:id/subscriptions`: ends the registration of a host. It needs the permission to edit the host,
 * or to delete it where the setting `unregister_delete_host` deletes unregistered hosts.
 */
const unregisterHost: Action = {
  method: 'DELETE',
  path: '/:id/subscriptions',
  name: 'unregister',
  summary: 'End the registration of a host',
  permissions: ['edit_hosts', 'destroy_hosts'],
  mayBeEmpty: true,
  refuses: 422,
  handle: (ctx, resource, input) => answerQuietly(input, (asked) => endRegistration(ctx, resource, asked)),
}

async function endRegistration(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const removes = ctx.settings.unregister_delete_host
  return inTransaction(ctx, async (tx) => {
    const { id } = await findLocked(tx, resource, input, { permission: removes ? 'destroy_hosts' : 'edit_hosts' })
    const ended = await unregister(tx, createHostRecords(resource.registry), id)
    if (!ended) throw invalid({ base: ['The host is not registered'] }, id)
    if (removes) return { status: 204 }
    return { status: 200, ...(input.reading !== null && { body: await readBack(tx, resource, id) }) }
  })
}

/**
 * The status whether subscriptions of a registered host cover its installed products (content-api §2.9); null without
 * registration.
 */
const subscriptionKind: StatusKind = {
  type: 'subscription',
  doc: '0: they cover its products, 2: they do not, 5: it needs none. Null: not registered.',
  nullable: true,
  ...expressionsOf(selectState),
  tables: ['registrations', 'organizations', 'host_entitlements', 'subscriptions', 'subscription_products', 'products'],
}

/**
 * Selects number, label and global status. `offset 0` keeps the planner from evaluating installed products for each of
 * the three columns.
 */
function selectState(alias: string): Sql {
  const global = sql`array[${sql.lit(GLOBAL.ok)}, ${sql.lit(GLOBAL.ok)}, ${sql.lit(GLOBAL.error)}]`
  return sql`
    select (array[5, 0, 2])[k.state] as status,
      (array['Simple content access', 'Fully entitled', 'Unentitled'])[k.state] as label,
      (${global})[k.state] as global
    from registrations r join organizations o on o.id = ${sql.ref(`${alias}.organization_id`)}
      cross join lateral (
        select case when o.content_access_mode <> 'entitlement' then 1 when ${uncovered} = '{}' then 2 else 3 end as state
        offset 0
      ) k
    where r.host_id = ${sql.ref(`${alias}.id`)}`
}

const STATUS_KEYS = ['subscription_status', 'subscription_status_label']

/** The contribution of content to hosts (content-api §2.9): pairs, registration and collections. */
export const hostContent = {
  fields: {
    content_facet: contentFacet(),
    subscription_facet: subscriptionFacet(),
    host_collections: collectionsOfHost(),
  },
  statusKeys: STATUS_KEYS,
  statusKinds: [subscriptionKind],
  keys: ['content_facet_attributes', 'subscription_facet_attributes', 'host_collections'],
  asked: [
    { parameter: 'include', words: ['content_facet_attributes'], keys: ['content_facet_attributes'] },
    {
      parameter: 'include',
      words: ['subscription_facet_attributes'],
      keys: ['subscription_facet_attributes', ...STATUS_KEYS],
    },
  ],
  search: contentSearch,
  permissions: ['register_hosts'],
  wrapWrite: hostContentWrites,
  actions: [
    setCollections,
    hostSubscriptions,
    hostProductContent,
    hostContentOverride,
    ...hostEntitling,
    registerByUser,
    unregisterHost,
  ],
} as const
