import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Draft, Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { type HostFields, selectEffectiveColumn } from '../../inventory/index.ts'
import { VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import type { ContentFacetBody, contentFacet } from './content-facet.ts'
import { recordHostChange } from './content-host.ts'

/** The field of a host about its pairs. */
export type FacetFields = { readonly content_facet: ReturnType<typeof contentFacet> }

/**
 * Gives a host without a content view the view of its new group, unless the request sets one. The view has to belong to
 * the organization of the host and to be in the environment.
 */
export async function handDown(
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
