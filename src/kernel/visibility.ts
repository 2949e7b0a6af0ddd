import { type Actor, type Context, type Trees, withoutScope } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import { rememberPairs } from '../lib/lazy.ts'
import { sql } from '../sql.ts'
import { type Condition, joinConditions } from './condition.ts'
import type { NamedRecord, Reference, Resource } from './definition.ts'
import type { Draft, Row, Stored } from './record.ts'
import { findKnown } from './reference.ts'
import { limitToExisting, TAXONOMIES } from './scope.ts'

/** Lists what entries with these keys refer to: the target and, if that has no organizations, the records it links to. */
export function listNamed(target: Resource, show: readonly string[]): NamedRecord[] {
  if (target.taxable) return [{ target, by: 'id' }]
  const pointing = [...target.links.values()].filter(({ column }) => show.includes(column))
  return [{ target, by: 'id' }, ...pointing.map((link) => ({ target: link.target, by: link.column }))]
}

/** Leaves records in the caller's own organizations and locations, whatever the scope and the permissions. */
export function limitToReachable(ctx: Context, target: Resource): readonly Condition[] {
  if (ctx.user.admin) return []
  const known = reachable(ctx.user, ctx.trees)
  const conditions = known.get(target) ?? limitToExisting(withoutScope(ctx), target)
  known.set(target, conditions)
  return conditions
}

const reachable = rememberPairs((_user: Actor, _trees: Trees) => new Map<Resource, readonly Condition[]>())

/** A list of links, some of whose targets the caller may be unable to reach, and the conditions that leave the others. */
export interface LimitedList extends NamedRecord {
  readonly key: string
  readonly conditions: readonly Condition[]
}

/** Yields the lists of links among these keys that may have targets beyond the caller's reach (docs/decisions/0014-links.md). */
export function listLimited(ctx: Context, resource: Resource, keys: readonly string[]): LimitedList[] {
  const limited: LimitedList[] = []
  for (const key of keys)
    for (const named of resource.lists.get(key) ?? []) {
      const conditions = limitLinks(ctx, resource, named.target)
      if (conditions.length > 0) limited.push({ key, ...named, conditions })
    }
  return limited
}

/** Selects for each list the ids of targets within reach, beside the record `shown` whose keys hold the lists; null for none. */
export function selectReachable(lists: readonly LimitedList[]): Sql | null {
  if (lists.length === 0) return null
  return sql.join(
    lists.map(({ key, target, by, conditions }, place) => {
      const ids = sql`select (entry ->> ${sql.lit(by)})::bigint from json_array_elements(${sql.ref(`shown.${key}`)}) entry`
      return sql`array(select t.id from ${sql.table(target.table)} t where t.id = any (array(${ids})) and ${joinConditions(conditions)}) as ${sql.ref(columnOf(place))}`
    }),
  )
}

/** Removes entries beyond the caller's reach from a record with the columns that `selectReachable` selects. */
export function dropUnreachable(record: Row, lists: readonly LimitedList[]): Row {
  const known = lists.map((_, place) => new Set(readEntries(record[columnOf(place)])))
  return lists.length === 0 ? record : keepReachable(record, lists, known)
}

function columnOf(place: number): string {
  return `_reachable_${place}`
}

/** Removes entries beyond the caller's reach from the lists of links in records, by one statement for all. */
export async function hideUnreachable(ctx: Context, resource: Resource, records: readonly Row[]) {
  const lists = listLimited(ctx, resource, Object.keys(records[0] ?? {}))
  if (lists.length === 0) return records
  const named = lists.map(({ key, target, by }) => {
    const entries = records.flatMap((record) => readEntries<Entry>(record[key]))
    return { target, ids: entries.flatMap((entry) => entry[by] ?? []) }
  })
  const known = await findReachable(ctx, named)
  return records.map((record) => keepReachable(record, lists, known))
}

/** Adds stored links beyond the caller's reach to the draft: a list that is sent replaces only what its sender can reach. */
export async function keepUnreachable(ctx: Context, resource: Resource, draft: Draft, stored: Stored): Promise<void> {
  const lists = resource.elsewhere.flatMap(({ name, at, field }) => {
    if (!field.refersTo || !Array.isArray(draft[name])) return []
    const target = at.target(field.refersTo.resource)
    const wanted = new Set<unknown>(draft[name])
    const ids = readEntries<number>(stored[name]).filter((id) => !wanted.has(id))
    return limitLinks(ctx, resource, target).length > 0 ? [{ name, target, ids }] : []
  })
  const known = await findReachable(ctx, lists)
  for (const [place, { name, ids }] of lists.entries()) {
    const kept = ids.filter((id) => !known[place]?.has(id))
    if (kept.length > 0) draft[name] = [...readEntries<number>(draft[name]), ...kept].sort((a, b) => a - b)
  }
}

/** Leaves the targets of links within reach; no condition between resources of one organization: they link within it only. */
function limitLinks(ctx: Context, { taxable }: Resource, target: Resource): readonly Condition[] {
  return taxable === 'organization' && target.taxable === taxable ? [] : limitToReachable(ctx, target)
}

/** Finds the ids within the caller's reach: organizations and locations that are the caller's, others by one statement. */
async function findReachable(ctx: Context, references: readonly Reference[]): Promise<ReadonlySet<unknown>[]> {
  const named = references.map(({ target, ids }) => {
    const own = new Set(TAXONOMIES.flatMap(({ kind, plural }) => (kind === target.name ? ctx.user[plural] : [])))
    return { target, own, ids: [...new Set(ids)].filter((id) => !own.has(id)) }
  })
  const known = await findKnown(withoutScope(ctx), named)
  return named.map(({ own }, place) => new Set([...own, ...(known[place] ?? [])]))
}

function keepReachable(record: Row, lists: readonly LimitedList[], known: readonly ReadonlySet<unknown>[]): Row {
  const kept: Record<string, unknown> = { ...record }
  for (const [place, { key, by }] of lists.entries())
    kept[key] = readEntries<Entry>(kept[key]).filter((entry) => entry[by] == null || known[place]?.has(entry[by]))
  return kept
}

type Entry = Readonly<Record<string, number | null | undefined>>

function readEntries<Item>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [] // columns of lists hold what their fields write
}
