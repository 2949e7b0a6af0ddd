import type { Context } from '../context.ts'
import { arrayOfIds, rows, type Sql } from '../database/sql.ts'
import { Failure, unknownReference } from '../errors.ts'
import { sql } from '../sql.ts'
import { joinConditions, ROOT } from './condition.ts'
import type { Reference, Resource } from './definition.ts'
import { limitToExisting } from './scope.ts'

/** Looks up all records that a request refers to, at once. {@throws Failure} unknown_reference, in content not_found */
export async function findReferences(ctx: Context, references: readonly Reference[]): Promise<void> {
  const wanted = references.map((each) => ({ ...each, ids: [...new Set(each.ids)] }))
  const known = await findKnown(ctx, wanted)
  for (const [place, reference] of wanted.entries()) refuseMissing(reference, known[place] ?? new Set())
}

/** Yields for each reference the set of its ids that name records within scope, by one statement. */
export async function findKnown(ctx: Context, wanted: readonly Reference[]): Promise<ReadonlySet<number>[]> {
  const named = wanted.filter(({ ids }) => ids.length > 0)
  const parts = named.map(
    ({ target, ids }, place) => sql`select ${sql.lit(place)} as place, ${selectIds(ctx, target, ids)}`,
  )
  const found =
    parts.length === 0 ? [] : await rows<{ place: number; id: number }>(ctx.db, sql.join(parts, sql` union all `))
  const known = Map.groupBy(found, ({ place }) => place)
  return wanted.map((each) => new Set(known.get(named.indexOf(each))?.map(({ id }) => id)))
}

/** Yields the ids if all name records in scope. {@throws Failure} unknown_reference (core-api §2.5), in content not_found */
export async function findIds(ctx: Context, target: Resource, ids: readonly number[]): Promise<number[]> {
  await findReferences(ctx, [{ target, ids }])
  return [...new Set(ids)]
}

/** The body of a select (all but the word `select`) for those of the ids that name a record within scope. */
function selectIds(ctx: Context, target: Resource, ids: readonly number[]): Sql {
  return sql`t.id from ${sql.table(target.table)} t where t.id = any (${arrayOfIds(ids)}) and ${joinConditions(limitToExisting(ctx, target))}`
}

function refuseMissing({ target, ids: wanted, listed = false }: Reference, known: ReadonlySet<number>): void {
  if (known.size === wanted.length) return
  const missing = wanted.filter((id) => !known.has(id)).slice(0, 100)
  if (target.surface === 'content') throw referenceNotFound(target, missing.join(', '))
  throw unknownReference(
    wanted.length === 1
      ? `Couldn't find ${target.type} with 'id'=${wanted[0]}`
      : `Couldn't find all ${target.type}s with 'id': (${wanted.slice(0, 100).join(', ')}) (missing: ${missing.join(', ')})`,
    { type: target.type, ids: wanted, listed },
  )
}

/** Yields the error (404) for a reference of the content API to a record that does not exist (content-api §2.2). */
export function referenceNotFound({ word }: Resource, id: string | number): Failure {
  return new Failure('not_found', `Couldn't find ${word.replaceAll('_', ' ')} '${id}'`)
}

/** Finds ids by exact labels: names, in trees titles. {@throws Failure} unknown_reference for an unknown or ambiguous one */
export async function findByLabel(ctx: Context, target: Resource, names: readonly string[]): Promise<number[]> {
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return []
  const label = sql.ref(`${ROOT}.${target.label ?? 'id'}`)
  const found = await rows<{ id: number; label: string }>(
    ctx.db,
    sql`select t.id, ${label} as label from ${sql.table(target.table)} t where ${label} = any (${wanted}::text[]) and ${joinConditions(limitToExisting(ctx, target))}`,
  )
  const known = new Map(found.map(({ id, label }) => [label, id]))
  return wanted.map((name) => {
    const id = known.get(name)
    if (found.filter(({ label }) => label === name).length > 1)
      throw unknownReference(
        `Several records of ${target.name} are named ${name}: say which by id, or name the organization`,
      )
    if (id === undefined) throw unknownReference(`Could not find ${target.name} with name: ${name}`)
    return id
  })
}
