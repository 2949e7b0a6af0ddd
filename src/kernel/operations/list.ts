import { type Context, hasPermission } from '../../context.ts'
import { readVersion } from '../../database/versions.ts'
import type { Members } from '../../lib/values.ts'
import { offsetOf, readContentPaging, readPaging, readSort } from '../../requests/paging.ts'
import type { Answer, Input } from '../../requests/route.ts'
import type { Surface } from '../../requests/surface.ts'
import type { TimeFormat } from '../../requests/times.ts'
import { type Counts, combineCounts, markOf } from '../../search/index.ts'
import { limitToVisible, permissionOf, permitsOwn } from '../authorize.ts'
import { type Condition, ROOT } from '../condition.ts'
import type { Resource } from '../definition.ts'
import type { Row } from '../record.ts'
import { compileRequestSearch, readOrdering } from '../searching.ts'
import { countRows, versionOf } from '../store/counts.ts'
import { type Page, selectPage } from '../store/select.ts'
import { limitToNamedPlace, resolveParents } from './find.ts'
import { applyShown, createPresenter, selectView } from './show.ts'

/** The answer of `list`: a page of records. */
export type ListAnswer = Answer & { readonly body: Members & { readonly results: readonly Row[] } }

/** How lists that actions answer with may differ from the list of a resource. */
interface ListOptions {
  /** Parents in path and query are not read: whoever calls `list` says what they mean by conditions. */
  readonly parents?: 'unread'
  readonly keys?: readonly string[]
  /** The surface whose envelope the page has. */
  readonly surface?: Surface
  readonly times?: TimeFormat
}

/**
 * Answers a page of the records that the caller may see, in the envelope of spec 2.1. Further conditions apply to both
 * totals. Where all counts are known, the page takes one statement, or two where keys need many look-ups. {@throws Failure}
 */
export async function list(
  ctx: Context,
  resource: Resource,
  input: Input,
  conditions: readonly Condition[] = [],
  { parents, keys = resource.views.list, surface = resource.surface, times = 'view' }: ListOptions = {},
): Promise<ListAnswer> {
  const isContent = surface === 'content'
  const paging = (isContent ? readContentPaging : readPaging)(input.query, ctx.settings.entries_per_page)
  const { page, perPage, search, order } = paging
  const base = [
    ...limitToVisible(ctx, resource, permissionOf(resource, 'view'), permitsOwn(resource, 'list')),
    ...(parents ? limitToNamedPlace(ctx, resource) : (await resolveParents(ctx, resource, input)).conditions),
    ...conditions,
  ]
  const found = await compileRequestSearch(ctx, resource, search)
  const offset = offsetOf(paging)
  const view = selectView(resource, keys, input.query)
  const ordering = readOrdering(ctx, resource, order)
  const sort = order ?? resource.searchSchema.order ?? ''
  const behind = input.walk?.behind(ordering.key, ROOT, sort)
  const selected = await selectPage(ctx.db, resource, {
    view,
    conditions: [...base, ...found, ...(behind ? [{ sql: behind, tables: [] }] : [])],
    order: ordering,
    limit: perPage,
    offset,
    ...(input.walk && { mark: markOf(ordering.key, ROOT) }),
  })
  const counts = input.walk?.counts ?? (await count(ctx, resource, base, found, selected, offset, perPage))
  if (selected.rows.length === perPage) input.walk?.goOn(selected.last, counts, sort)
  const present = createPresenter(resource, view, times)
  const permissions = input.query.include_permissions !== undefined && {
    can_create: hasPermission(ctx, permissionOf(resource, 'create')),
    can_edit: hasPermission(ctx, permissionOf(resource, 'edit')),
  }
  return {
    status: 200,
    body: {
      ...counts,
      page,
      per_page: perPage ?? counts.total,
      search,
      ...permissions,
      ...(isContent && { selectable: counts.subtotal, error: null }),
      sort: isContent ? contentSortOf(resource, order) : readSort(order),
      results: await applyShown(ctx, resource, selected.rows.map(present), input.query),
    },
  }
}

/** Yields the `sort` of the envelope, which names the order also where the request has none (content-api §1.2). */
function contentSortOf({ searchSchema }: Resource, order: string | null): { by: string | null; order: string | null } {
  const sort = readSort(order ?? searchSchema.order ?? null)
  return order === null ? { ...sort, order: sort.order?.toLowerCase() ?? null } : sort
}

/** Counts `total` before and `subtotal` after `search` (core-api §2.3), without `count` where possible. */
async function count(
  ctx: Context,
  resource: Resource,
  base: readonly Condition[],
  found: readonly Condition[],
  page: Page,
  offset: number,
  limit: number | null,
): Promise<Counts> {
  const matching = [...base, ...found]
  const { version, everything } =
    page.version === undefined || page.everything === undefined
      ? await readVersion(ctx.db, versionOf(resource, matching))
      : { version: page.version, everything: page.everything }
  const onPage = page.rows.length
  // A page that is neither empty nor full is the last one: its offset and length give the number of records.
  const last = onPage > 0 && (limit === null || onPage < limit) ? { count: offset + onPage } : undefined
  const countAmong = (conditions: readonly Condition[]) =>
    conditions.length === 0 ? { count: everything } : countRows(ctx, resource, conditions, matching, version)
  const total = (found.length === 0 && last) || (await countAmong(base))
  return combineCounts(total, found.length === 0 ? total : (last ?? (await countAmong(matching))), offset, onPage)
}
