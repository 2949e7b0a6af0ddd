import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { all, row, type Sql } from '../../database/sql.ts'
import { TAXONOMIES, type Taxonomy } from '../../kernel/scope.ts'
import { familyOf, takesIn } from '../../kernel/trees.ts'

/** Labels of at most 63 letters, digits, hyphens and underscores, 255 characters in all (spec 2.4). */
export const HOST_NAME =
  /^$|^(?=.{1,255}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i
export const NOT_HOST_NAME =
  'is not a host name: labels of letters, digits, hyphens and underscores, with dots between them'

/** A name and the domain that it lies in. */
export interface Naming {
  readonly name: string
  readonly domain: number | null
}

/** The organization and the location of a host: a domain that is for others only is not found by a name. */
type Place = Readonly<Partial<Record<Taxonomy['kind'], unknown>>>

interface Domain {
  readonly id: number
  readonly name: string
}

/**
 * The full name of a host: a short name gets the domain behind it; without a domain a full name finds the one it lies in,
 * as far as it is known here (core-api §1.5). `before` is the domain so far, whose name goes when another is chosen.
 */
export async function fullName(
  ctx: Context,
  name: string,
  domain: number | null,
  before: number | null = null,
  place: Place = {},
): Promise<Naming> {
  const chosen = domain === null ? await domainOf(ctx, name, place) : await domainWithId(ctx, domain)
  if (!chosen) return { name, domain: null }
  if (before === null || before === chosen.id) return { name: within(name, chosen), domain: chosen.id }
  const left = await domainWithId(ctx, before)
  const short = left && name.endsWith(`.${left.name}`) ? name.slice(0, -left.name.length - 1) : name
  return { name: within(short, chosen), domain: chosen.id }
}

/** The domain of the interface that carries the name of a host. */
export async function domainOfPrimary(ctx: Context, host: number): Promise<number | null> {
  const found = await row<{ domain_id: number | null }>(
    ctx.db,
    sql`select domain_id from interfaces where host_id = ${host} and "primary"`,
  )
  return found?.domain_id ?? null
}

function within(name: string, domain: Domain): string {
  return name.endsWith(`.${domain.name}`) ? name : `${name}.${domain.name}`
}

async function domainOf(ctx: Context, name: string, place: Place): Promise<Domain | undefined> {
  const dot = name.indexOf('.')
  if (dot < 0) return undefined
  const theirs = all(TAXONOMIES.map((taxonomy) => isFor(ctx, taxonomy, place[taxonomy.kind])))
  return row<Domain>(
    ctx.db,
    sql`select d.id, d.name from domains d where d.name = ${name.slice(dot + 1)} and ${theirs}`,
  )
}

function isFor(ctx: Context, { kind, plural }: Taxonomy, id: unknown): Sql {
  if (typeof id !== 'number') return sql`true`
  const family = familyOf(ctx.trees[plural], [id])
  if (takesIn(ctx.trees[plural], family, 'Domain')) return sql`true`
  const linked = sql`from ${sql.table(`domain_${plural}`)} l where l.domain_id = d.id`
  return sql`(not exists (select ${linked}) or exists (select ${linked} and ${sql.ref(`l.${kind}_id`)} = any (${family}::bigint[])))`
}

async function domainWithId(ctx: Context, id: number): Promise<Domain | undefined> {
  return row<Domain>(ctx.db, sql`select id, name from domains where id = ${id}`)
}
