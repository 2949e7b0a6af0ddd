import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import { type Condition, joinConditions } from './condition.ts'
import type { NamedRecord, Reference, Resource } from './definition.ts'
import type { Draft, Row, Stored } from './record.ts'
import { findKnown, limitToExisting } from './reference.ts'
import { TAXONOMIES, withoutScope } from './scope.ts'

/** Which records entries with these keys refer to: the target and, if it has no organizations, those it points at. */
export function listNamed(target: Resource, show: readonly string[]): NamedRecord[] {
  if (target.taxable) return [{ target, by: 'id' }]
  const pointing = target.placed.flatMap(({ at, field, column }) =>
    column && field.refersTo && show.includes(column.name)
      ? [{ target: at.target(field.refersTo.resource), by: column.name }]
      : [],
  )
  return [{ target, by: 'id' }, ...pointing]
}

/** Conditions for the caller's own organizations and locations, whatever the scope and the permissions. */
export function limitToReachable(ctx: Context, target: Resource): Condition[] {
  return ctx.user.admin ? [] : limitToExisting(withoutScope(ctx), target)
}

/** A list of links in a record, and the conditions on the targets that the caller can reach. */
export interface LimitedList extends NamedRecord {
  readonly key: string
  readonly conditions: readonly Condition[]
}

/** Yields the lists of links among these keys in which the caller may be unable to reach some targets. */
export function listLimited(ctx: Context, resource: Resource, keys: readonly string[]): LimitedList[] {
  if (ctx.user.admin) return []
  return keys.flatMap((key) =>
    (resource.readable[key]?.names?.() ?? []).flatMap(({ target, by }) => {
      const conditions = isNear(resource, target) ? [] : limitToReachable(ctx, target)
      return conditions.length === 0 ? [] : [{ key, target, by, conditions }]
    }),
  )
}

/** Selects for each list the ids of targets within reach, beside the record `shown` whose keys hold the lists. */
export function selectReachable(lists: readonly LimitedList[]): Sql {
  return sql.join(
    lists.map(
      ({ key, target, by, conditions }, place) => sql`array(select t.id from ${sql.table(target.table)} t
        where t.id = any (array(select (entry ->> ${sql.lit(by)})::bigint from json_array_elements(${sql.ref(`shown.${key}`)}) entry))
          and ${joinConditions(conditions)}) as ${sql.ref(columnOf(place))}`,
    ),
  )
}

/** Removes entries beyond the caller's reach from a record that was selected with what is reachable. */
export function dropUnreachable(ctx: Context, record: Row, lists: readonly LimitedList[]): Row {
  if (lists.length === 0) return record
  const kept: Record<string, unknown> = { ...record }
  for (const [place, { key, target, by }] of lists.entries()) {
    const known = new Set<unknown>([...readEntries<number>(record[columnOf(place)]), ...listOwn(ctx, target)])
    kept[key] = readEntries<Entry>(kept[key]).filter((entry) => entry[by] == null || known.has(entry[by]))
  }
  return kept
}

function columnOf(place: number): string {
  return `_reachable_${place}`
}

/** Removes entries for records beyond the caller's reach from lists of links (docs/decisions/0014-links.md). */
export async function hideUnreachable(
  ctx: Context,
  resource: Resource,
  records: readonly Row[],
): Promise<readonly Row[]> {
  if (ctx.user.admin) return records
  const lists = Object.entries(resource.readable).flatMap(([key, { names }]) => {
    if (!names || records[0]?.[key] === undefined) return []
    const entries = records.flatMap((record) => readEntries<Entry>(record[key]))
    return names().map(({ target, by }) => ({ key, target, by, ids: entries.flatMap((entry) => entry[by] ?? []) }))
  })
  const beyond = await findUnreachable(ctx, resource, lists)
  if (beyond.size === 0) return records
  return records.map((record) => {
    const seen: Record<string, unknown> = { ...record }
    for (const { key, target, by } of lists)
      seen[key] = readEntries<Entry>(seen[key]).filter((entry) => !beyond.get(target)?.has(entry[by]))
    return seen
  })
}

/** Adds stored links beyond the author's reach to the draft: a sent list replaces only what its author sees. */
export async function keepUnreachable(ctx: Context, resource: Resource, draft: Draft, stored: Stored): Promise<void> {
  const lists = resource.placed.flatMap(({ name, at, field, elsewhere }) => {
    if (!elsewhere || !field.refersTo || !Array.isArray(draft[name])) return []
    const wanted = new Set<unknown>(draft[name])
    return [
      {
        name,
        target: at.target(field.refersTo.resource),
        ids: readEntries<number>(stored[name]).filter((id) => !wanted.has(id)),
      },
    ]
  })
  const beyond = await findUnreachable(ctx, resource, lists)
  for (const { name, target, ids } of lists) {
    const kept = ids.filter((id) => beyond.get(target)?.has(id))
    if (kept.length > 0) draft[name] = [...readEntries<number>(draft[name]), ...kept].sort((a, b) => a - b)
  }
}

/** Tells whether all links lead to reachable targets: resources of one organization link within it only. */
function isNear({ taxable }: Resource, target: Resource): boolean {
  return taxable === 'organization' && target.taxable === taxable
}

/** The ids of the caller's own organizations or locations, where the target is one. */
function listOwn({ user }: Context, target: Resource): readonly number[] {
  return TAXONOMIES.flatMap(({ kind, plural }) => (kind === target.name ? user[plural] : []))
}

/** Finds the ids beyond the caller's reach in one statement. */
async function findUnreachable(ctx: Context, resource: Resource, references: readonly Reference[]) {
  const asked = [...Map.groupBy(references, ({ target }) => target)].flatMap(([target, named]) => {
    const own = new Set(listOwn(ctx, target))
    const ids = [...new Set(named.flatMap((reference) => reference.ids))].filter((id) => !own.has(id))
    const isAll = ids.length === 0 || isNear(resource, target) || limitToReachable(ctx, target).length === 0
    return isAll ? [] : [{ target, ids }]
  })
  const known = await findKnown(withoutScope(ctx), asked)
  const beyond = asked.map(({ target, ids }, place) => {
    const unseen: ReadonlySet<unknown> = new Set(ids.filter((id) => !known[place]?.has(id)))
    return [target, unseen] as const
  })
  return new Map(beyond.filter(([, { size }]) => size > 0))
}

type Entry = Readonly<Record<string, number | null | undefined>>

function readEntries<Item>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [] // columns of lists hold what their fields write
}
