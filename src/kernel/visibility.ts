import type { Context } from '../context.ts'
import type { Condition } from './condition.ts'
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

/** Finds the ids beyond the caller's reach in one statement; resources of one organization link within it only. */
async function findUnreachable(ctx: Context, { taxable }: Resource, references: readonly Reference[]) {
  const asked = [...Map.groupBy(references, ({ target }) => target)].flatMap(([target, named]) => {
    const own = new Set(TAXONOMIES.flatMap(({ kind, plural }) => (kind === target.name ? ctx.user[plural] : [])))
    const ids = [...new Set(named.flatMap((reference) => reference.ids))].filter((id) => !own.has(id))
    const isNear = taxable === 'organization' && target.taxable === taxable
    return ids.length === 0 || isNear || limitToReachable(ctx, target).length === 0 ? [] : [{ target, ids }]
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
