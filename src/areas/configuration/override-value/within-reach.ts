import { type Context, holdsForAll } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import {
  type Condition,
  findResource,
  joinConditions,
  limitToReachable,
  linkTableOf,
  type Registry,
  type Resource,
  ROOT,
  TAXONOMIES,
  taxonomiesOf,
} from '../../../kernel/index.ts'
import { joinAll, sql } from '../../../sql.ts'

/**
 * The permissions to see and to write overrides that can match hosts beyond the caller's organizations and locations.
 */
export const SHARED = { view: 'view_shared_override_values', edit: 'edit_shared_override_values' } as const

/** Whether the caller has every organization and location, so that all hosts are within reach. */
export function isEverywhere({ user, trees }: Pick<Context, 'user' | 'trees'>): boolean {
  return user.admin || TAXONOMIES.every(({ plural }) => hasAll(user[plural], trees[plural].keys()))
}

/**
 * The condition that the caller may see an override with this match text; null when they may see all
 * (docs/decisions/0018-matchers.md).
 */
export function limitToVisibleMatch(
  ctx: Context,
  registry: Registry,
  match: Sql,
  since: Sql | null = null,
): Sql | null {
  if (isEverywhere(ctx)) return null
  const isShared = holdsForAll(ctx, SHARED.view) || holdsForAll(ctx, SHARED.edit)
  return limitToWithinReach(ctx, registry, match, { isShared, since })
}

/** The condition that the caller may write an override with this match text; null when they may write all. */
export function limitToWritableMatch(ctx: Context, registry: Registry, match: Sql): Sql | null {
  if (isEverywhere(ctx)) return null
  return limitToWithinReach(ctx, registry, match, { isShared: holdsForAll(ctx, SHARED.edit), since: null })
}

/** Conditions that leave the overrides that the caller may see. */
export function limitToVisibleOverrides(ctx: Context, { registry }: Pick<Resource, 'registry'>): readonly Condition[] {
  const seen = limitToVisibleMatch(ctx, registry, sql.ref(`${ROOT}.match`))
  return seen ? [{ sql: seen, tables: listMatchTables(registry) }] : []
}

/** The tables in which changes can bring match texts into or out of reach. */
export function listMatchTables(registry: Registry): readonly string[] {
  return NAMING.flatMap(({ resource }) => {
    const target = registry.get(resource)
    if (!target) return []
    const links = target.taxable === true ? taxonomiesOf(target).map((each) => linkTableOf(target, each).table) : []
    return [target.table, ...links]
  })
}

/** Attributes whose values name a record that belongs to organizations and locations, and the text of that record. */
interface Naming {
  readonly attributes: readonly string[]
  readonly resource: string
  readonly text: Sql
}

const NAMING: readonly Naming[] = [
  { attributes: ['fqdn', 'name', 'hostname'], resource: 'host', text: sql`t.name` },
  { attributes: ['certname'], resource: 'host', text: sql`coalesce(t.certname, t.name)` },
  ...['hostgroup', 'organization', 'location'].map((name) => buildNaming(name, name, sql`t.title`)),
  ...['domain', 'environment', 'realm', 'medium', 'ptable', 'subnet'].map((name) =>
    buildNaming(name, name, sql`t.name`),
  ),
  buildNaming('subnet6', 'subnet', sql`t.name`),
]

function buildNaming(attribute: string, resource: string, text: Sql): Naming {
  return { attributes: [attribute, `${attribute}_name`], resource, text }
}

/** Attributes that confine a match to an organization or location, because a host has one of each. */
const CONFINING: readonly string[] = NAMING.filter(({ resource }) => ['host', 'hostgroup'].includes(resource)).flatMap(
  ({ attributes }) => attributes,
)

interface Demand {
  /** Whether matches beyond reach are allowed, if they name no record there. */
  readonly isShared: boolean
  /** Named records must have had that name since this time; null: at present. */
  readonly since: Sql | null
}

/**
 * The condition that everything that a text can match is within reach: all records that it names are, and one of them,
 * or an organization and a location, confine it. An unknown name counts as out of reach.
 */
function limitToWithinReach(ctx: Context, registry: Registry, match: Sql, { isShared, since }: Demand): Sql {
  const named = NAMING.map(({ attributes, resource, text }) => {
    const target = findResource(registry, resource)
    const old = since ? sql` and t.created_at <= ${since}` : sql``
    return sql`when e.attribute in (${selectWords(attributes)}) then exists (
      select from ${sql.table(target.table)} t where ${text} = e.value and ${joinConditions(limitToReachable(ctx, target))}${old})`
  })
  const confined = TAXONOMIES.flatMap(({ kind, plural }) =>
    isShared || hasAll(ctx.user[plural], ctx.trees[plural].keys())
      ? []
      : [sql`bool_or(e.attribute in (${selectWords([...CONFINING, kind, `${kind}_name`])}))`],
  )
  return sql`coalesce((
    select ${joinAll([sql`bool_and(case ${sql.join(named, sql` `)} else true end)`, ...confined])} from (
      select split_part(p.part, '=', 1) as attribute, substr(p.part, strpos(p.part, '=') + 1) as value
      from unnest(string_to_array(${match}, ',')) as p (part)) e), false)`
}

function selectWords(names: readonly string[]): Sql {
  return sql.join(names.map((name) => sql.lit(name)))
}

function hasAll(own: readonly number[], ids: Iterable<number>): boolean {
  const known = new Set(own)
  return [...ids].every((id) => known.has(id))
}
