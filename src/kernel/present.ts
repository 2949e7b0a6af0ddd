import type { Context } from '../context.ts'
import type { Input } from '../requests/route.ts'
import { formatTime, type TimeFormat } from '../requests/times.ts'
import type { ReadableKey, Resource } from './definition.ts'
import type { Row } from './record.ts'
import { hideUnreachable } from './visibility.ts'

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

/** Finds a key by its name in answers. {@throws Error} for an unknown one, which is a mistake of the declaration */
export function findReadableKey(resource: Resource, key: string): ReadableKey {
  const readable = resource.readable[key]
  if (!readable) throw new Error(`${resource.name} has no key ${key} to show`)
  return readable
}
