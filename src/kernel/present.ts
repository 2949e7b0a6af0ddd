import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import type { Input } from '../requests/route.ts'
import type { ReadableKey, Resource } from './definition.ts'
import type { Row } from './record.ts'
import { hideUnreachable } from './visibility.ts'

/** How times are written: `view` is `2026-03-31 14:25:36 UTC`, `iso` is `2026-03-31T14:25:36.000Z` (spec 2.1). */
export type TimeFormat = 'view' | 'iso'

/** Creates the function that turns rows into records of answers: keys in the order of the view, times in the format. */
export function createPresenter(resource: Resource, view: readonly string[], format: TimeFormat): (row: Row) => Row {
  const write = format === 'iso' ? formatIsoTime : formatViewTime
  const keys = view.map((key) => [key, resource.readable[key]?.time === true] as const)
  return (row) => {
    const record: Record<string, unknown> = {}
    for (const [key, time] of keys) {
      const value = row[key]
      record[key] = time && typeof value === 'string' ? write(value) : value
    }
    return record
  }
}

/** Yields the keys of a view for a request: those that its query asks for are added, or stand alone. */
export function selectView({ views }: Resource, view: readonly string[], query: Input['query']): readonly string[] {
  const asked = (views.asked ?? []).filter(
    ({ parameter, words, shows }) =>
      (shows || view === views.list) &&
      [query[parameter], query[`${parameter}[]`]].flat().some((word) => words.includes(String(word))),
  )
  const alone = asked.find((one) => one.alone)
  return alone ? alone.keys : asked.length > 0 ? [...view, ...asked.flatMap(({ keys }) => keys)] : view
}

/** Drops links beyond the caller's reach from lists of links, then lets the resource's `shown` adapt the records. */
export async function applyShown(
  ctx: Context,
  resource: Resource,
  records: readonly Row[],
  query: Input['query'],
): Promise<readonly Row[]> {
  const seen = await hideUnreachable(ctx, resource, records)
  const { shown } = resource.views
  return shown ? shown(ctx, resource, seen, query) : seen
}

/** Selects a time in the format of views, for use inside of JSON (spec 2.1). */
export function selectMoment(moment: Sql): Sql {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`
}

/** Formats a time for views from the text that the database prints in UTC, e.g. `2026-03-31 14:25:36.12+00`. */
export function formatViewTime(text: string): string {
  return `${text.slice(0, 19)} UTC`
}

function formatIsoTime(text: string): string {
  const fraction = /^\.(\d+)/.exec(text.slice(19))?.[1] ?? ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

/** Finds a key by its name in answers. {@throws Error} for an unknown one, which is a mistake of the declaration */
export function findReadableKey(resource: Resource, key: string): ReadableKey {
  const readable = resource.readable[key]
  if (!readable) throw new Error(`${resource.name} has no key ${key} to show`)
  return readable
}
