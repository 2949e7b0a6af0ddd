import type { Context } from '../../context.ts'
import type { Answer, Input } from '../../requests/route.ts'
import { formatTime, type TimeFormat } from '../../requests/times.ts'
import { permissionOf, permitsOwn } from '../authorize.ts'
import type { Resource } from '../definition.ts'
import type { Row } from '../record.ts'
import { dropUnreachable, hideUnreachable, listLimited } from '../visibility.ts'
import { findRecord } from './find.ts'

/** Answers one record in the keys of the `show` view. {@throws Failure} not_found, also when it is invisible */
export async function show(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const keys = selectView(resource, resource.views.show, input.query)
  const own = permitsOwn(resource, 'show')
  const lists = listLimited(ctx, resource, keys)
  const found = await findRecord(ctx, resource, input, { permission: permissionOf(resource, 'view'), keys, lists, own })
  const record = createPresenter(resource, keys, 'view')(dropUnreachable(found, lists))
  const { transform } = resource.views
  return { status: 200, body: transform ? (await transform(ctx, resource, [record], input.query))[0] : record }
}

/** Creates the function that turns rows into records of answers: keys in the order of the view, times in the format. */
export function createPresenter(resource: Resource, view: readonly string[], format: TimeFormat): (row: Row) => Row {
  return (row) => {
    const record: Record<string, unknown> = {}
    for (const key of view) record[key] = row[key]
    for (const key of resource.times) {
      const value = record[key]
      if (typeof value === 'string') record[key] = formatTime(value, format)
    }
    return record
  }
}

/** Yields the keys of a view for a request. Keys in its query are added, or replace the others. */
export function selectView({ views }: Resource, view: readonly string[], query: Input['query']): readonly string[] {
  const asked = (views.asked ?? []).filter(
    ({ parameter, words, shows }) =>
      (shows || view === views.list) &&
      [query[parameter], query[`${parameter}[]`]].flat().some((word) => words.includes(String(word))),
  )
  const alone = asked.find((one) => one.alone)
  return alone ? alone.keys : asked.length > 0 ? [...view, ...asked.flatMap(({ keys }) => keys)] : view
}

/** Drops links beyond the caller's reach from lists of links, then lets the resource's `transform` adapt the records. */
export async function applyShown(
  ctx: Context,
  resource: Resource,
  records: readonly Row[],
  query: Input['query'],
): Promise<readonly Row[]> {
  const seen = await hideUnreachable(ctx, resource, records)
  const { transform } = resource.views
  return transform ? transform(ctx, resource, seen, query) : seen
}
