import { type Context, familyOf, includesAllOf } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { linkTableOf, type Resource, TAXONOMIES, type Taxonomy } from '../../../kernel/index.ts'
import { joinAll, sql } from '../../../sql.ts'

/**
 * A host name: labels of at most 63 letters, digits, hyphens and underscores, 255 characters in all (spec 2.4). Blank
 * text matches: where a name is needed, `required` refuses it with a message of its own.
 */
export const HOST_NAME =
  /^$|^(?=.{1,255}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i

/** The message for a name that does not match {@link HOST_NAME}. */
export const NOT_HOST_NAME =
  'is not a host name: labels of letters, digits, hyphens and underscores, with dots between them'

/** The full name of a host and the id of its domain. */
export interface Naming {
  readonly name: string
  readonly domain: number | null
  /** Whether the name is one label and the domain, or there is no domain. */
  readonly isWithin: boolean
}

/** The organization and location of a host; domains that are not available there are not found by a name. */
type TaxonomyPair = Readonly<Partial<Record<Taxonomy['kind'], unknown>>>

interface Domain {
  readonly id: number
  readonly name: string
}

/**
 * Resolves the full name of a host. A name without a dot gets the domain behind it; one with a dot stays, and if no
 * domain is given the known one that it ends with is taken. `before` is the present domain, which is cut off when
 * another one is chosen.
 */
export async function resolveFullName(
  ctx: Context,
  name: string,
  domain: number | null,
  before: number | null = null,
  place: TaxonomyPair = {},
): Promise<Naming> {
  const chosen = domain === null ? await domainOf(ctx, name, place) : await findDomainById(ctx, domain)
  if (!chosen) return { name, domain: null, isWithin: true }
  const left = before === null || before === chosen.id ? undefined : await findDomainById(ctx, before)
  const kept = left && name.endsWith(`.${left.name}`) ? name.slice(0, -left.name.length - 1) : name
  const full = kept.includes('.') ? kept : `${kept}.${chosen.name}`
  return { name: full, domain: chosen.id, isWithin: isRightBelow(full, chosen) }
}

/**
 * Requires names of managed hosts to be one label and their domain, because DNS and DHCP use both parts.
 * {@throws Failure} invalid
 */
export function refuseOutside({ isWithin }: Naming, managed: unknown, id: number | null): void {
  if (managed === true && !isWithin) throw invalid({ name: [PERIODS] }, id)
}

const PERIODS = 'must not include periods: a managed host is called by one word and its domain'

/** Loads the id of the domain of a host's primary interface. */
export async function loadPrimaryDomain(ctx: Context, host: number): Promise<number | null> {
  const found = await row<{ domain_id: number | null }>(
    ctx.db,
    sql`select domain_id from interfaces where host_id = ${host} and "primary"`,
  )
  return found?.domain_id ?? null
}

/** Loads the links of the primary interface of a host to its domain and subnets, by column. */
export async function loadPrimaryLinks(ctx: Context, host: number): Promise<Readonly<Record<string, number | null>>> {
  const found = await row<Record<string, number | null>>(
    ctx.db,
    sql`select domain_id, subnet_id, subnet6_id from interfaces where host_id = ${host} and "primary"`,
  )
  return found ?? {}
}

function isRightBelow(name: string, { name: domain }: Domain): boolean {
  return name.endsWith(`.${domain}`) && !name.slice(0, -domain.length - 1).includes('.')
}

async function domainOf(ctx: Context, name: string, place: TaxonomyPair): Promise<Domain | undefined> {
  const dot = name.indexOf('.')
  if (dot < 0) return undefined
  const theirs = limitToAvailable(ctx, { table: 'domains', type: 'Domain' }, 'd', place)
  const found = await row<Domain>(
    ctx.db,
    sql`select d.id, d.name from domains d where d.name = ${name.slice(dot + 1)} and ${theirs}`,
  )
  return found
}

/** Leaves the records that are for hosts in this place: of its organization and location, or of none. */
export function limitToAvailable(
  ctx: Context,
  of: Pick<Resource, 'table' | 'type'>,
  alias: string,
  place: TaxonomyPair,
): Sql {
  return joinAll(TAXONOMIES.map((taxonomy) => isFor(ctx, of, alias, taxonomy, place[taxonomy.kind])))
}

function isFor(
  { trees }: Context,
  of: Pick<Resource, 'table' | 'type'>,
  alias: string,
  taxonomy: Taxonomy,
  id: unknown,
): Sql {
  if (typeof id !== 'number') return sql`true`
  const family = familyOf(trees[taxonomy.plural], [id])
  if (includesAllOf(trees[taxonomy.plural], family, of.type)) return sql`true`
  const { table, own } = linkTableOf(of, taxonomy)
  const linked = sql`from ${sql.table(table)} l where ${sql.ref(`l.${own}`)} = ${sql.ref(`${alias}.id`)}`
  return sql`(not exists (select ${linked}) or exists (select ${linked} and ${sql.ref(`l.${taxonomy.kind}_id`)} = any (${family}::bigint[])))`
}

async function findDomainById(ctx: Context, id: number): Promise<Domain | undefined> {
  const found = await row<Domain>(ctx.db, sql`select id, name from domains where id = ${id}`)
  return found
}
