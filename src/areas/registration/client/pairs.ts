import type { Context } from '../../../context.ts'
import { rows, type Sql, selectColumns } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { Pair, RegistrationOwner } from '../key.ts'
import { VIEW_ENVIRONMENT, VIEW_ENVIRONMENT_LABEL } from '../labels.ts'
import { seenOf } from './visibility.ts'

/** Selects pairs of a view `v` and an environment `e` that the caller may both view. */
function selectVisiblePairs(ctx: Context, hosts: Resource): Sql {
  return sql`${seenOf(ctx, hosts, 'content_view', 'v')} and ${seenOf(ctx, hosts, 'lifecycle_environment', 'e')}`
}

/**
 * Loads the pairs of an organization that the caller may view, by the ids and names that clients register with; or the
 * named one.
 */
export async function loadVisibleEnvironments(
  ctx: Context,
  hosts: Resource,
  organization: number,
  name: string | null,
): Promise<unknown[]> {
  return rows(
    ctx.db,
    sql`select v.id || '-' || e.id as id, ${VIEW_ENVIRONMENT_LABEL} as name, v.description
      from content_view_environments l join content_views v on v.id = l.content_view_id
        join lifecycle_environments e on e.id = l.environment_id
      where v.organization_id = ${organization} and ${selectVisiblePairs(ctx, hosts)}
        and (${name}::text is null or ${VIEW_ENVIRONMENT_LABEL} = ${name}) order by 2`,
  )
}

/**
 * Finds the pairs with these ids (`<content view>-<environment>`) if the caller may view both halves (content-api
 * §5.2); by default the default view in the Library.
 */
export async function findPairs(
  ctx: Context,
  hosts: Resource,
  owner: Pick<RegistrationOwner, 'id'>,
  ids: readonly string[],
): Promise<readonly Pair[]> {
  const found = await rows<Pair & { id: string; usual: boolean }>(
    ctx.db,
    sql`
      select v.id || '-' || e.id as id, v."default" and e.library as usual,
        ${selectColumns(VIEW_ENVIRONMENT)}
      from content_view_environments l join content_views v on v.id = l.content_view_id
        join lifecycle_environments e on e.id = l.environment_id
      where v.organization_id = ${owner.id}
        and (v.id || '-' || e.id = any (${ids}::text[]) and ${selectVisiblePairs(ctx, hosts)} or ${ids.length === 0} and v."default" and e.library)`,
  )
  const wanted = ids.length === 0 ? found : [...new Set(ids)].map((id) => found.find((pair) => pair.id === id) ?? id)
  return wanted.map((pair) => {
    if (typeof pair === 'string') throw new Failure('not_found', `Couldn't find environment '${pair}'`)
    return { environment: pair.environment, content_view: pair.content_view, label: pair.label }
  })
}
