import { type Context, includesAllOf, withoutScope } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { Failure, notFound } from '../../../errors.ts'
import { joinConditions, limitToScope } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A template that a rule names for a host, with the reasons that may exclude it. */
interface Candidate {
  readonly id: number
  readonly name: string
  readonly template: string
  /** Number of the rule, from 1. */
  readonly rank: number
  readonly os: boolean
  readonly organization: boolean
  readonly location: boolean
  /** Whether the caller may know that the template exists. */
  readonly known: boolean
}

/** What decides about a host which template it gets: ids of its places, and names of the other records for messages. */
interface Chooser {
  readonly name: string
  readonly organization_id: number | null
  readonly location_id: number | null
  readonly operatingsystem: string | null
  readonly hostgroup: string | null
  readonly environment: string | null
}

/** The template that was chosen, with its text. */
export interface ChosenTemplate {
  readonly id: number
  readonly name: string
  readonly template: string
}

/**
 * Chooses the template of a kind for a host (core-api §1.6): the one bound to host group and environment, else to the
 * group alone, else to the environment alone, else the default of the operating system. It has to be for that operating
 * system, and available where the host is or above. {@throws Failure} not_found, naming what was tried
 */
export async function chooseTemplate(ctx: Context, hostId: number, kind: string): Promise<ChosenTemplate> {
  const kindId = await findKind(ctx, kind)
  const host = await row<Chooser>(
    ctx.db,
    sql`select h.name, h.organization_id, h.location_id, o.title as operatingsystem, g.title as hostgroup, e.name as environment
      from hosts h left join operatingsystems o on o.id = h.operatingsystem_id left join hostgroups g on g.id = h.hostgroup_id
        left join environments e on e.id = h.environment_id
      where h.id = ${hostId}`,
  )
  if (!host) throw notFound('host', hostId) // it was deleted meanwhile
  const candidates = await loadCandidates(ctx, hostId, kindId, host)
  const chosen = candidates.find(({ os, organization, location }) => os && organization && location)
  if (chosen) return chosen
  throw new Failure('parent_not_found', `No template with kind ${kind} for ${host.name}: ${explain(host, candidates)}`)
}

/** The template that a host gets, with its kind. */
export interface TakenTemplate extends Pick<ChosenTemplate, 'id' | 'name'> {
  readonly template_kind_id: number
  readonly template_kind_name: string
}

/** Lists the templates that a host gets, one of each kind for which there is one. */
export async function listChosen(ctx: Context, hostId: number): Promise<TakenTemplate[]> {
  const kinds = await rows<{ id: number; name: string }>(ctx.db, sql`select id, name from template_kinds order by name`)
  const taken: TakenTemplate[] = []
  for (const kind of kinds) {
    const { id, name } = (await loadChosen(ctx, hostId, kind.name)) ?? {}
    if (id !== undefined && name !== undefined)
      taken.push({ id, name, template_kind_id: kind.id, template_kind_name: kind.name })
  }
  return taken
}

async function loadChosen(ctx: Context, hostId: number, kind: string): Promise<ChosenTemplate | null> {
  try {
    return await chooseTemplate(ctx, hostId, kind)
  } catch (error) {
    if (error instanceof Failure && error.code === 'parent_not_found') return null
    throw error
  }
}

async function findKind(ctx: Context, kind: string): Promise<number> {
  const kinds = await rows<{ id: number; name: string }>(ctx.db, sql`select id, name from template_kinds order by name`)
  const found =
    kinds.find(({ name }) => name === kind) ?? kinds.find(({ name }) => normalizeKind(name) === normalizeKind(kind))
  if (found) return found.id
  const names = kinds.map(({ name }) => name).join(', ')
  throw new Failure('parent_not_found', `Template kind not found by id '${kind}': there are ${names}`)
}

/** Normalizes the name of a kind: clients differ in capitals, and write hyphens for underscores. */
function normalizeKind(kind: string): string {
  return kind.toLowerCase().replaceAll('-', '_')
}

async function loadCandidates(ctx: Context, host: number, kind: number, place: Chooser): Promise<Candidate[]> {
  return rows<Candidate>(
    ctx.db,
    sql`
      with named as (
        select c.provisioning_template_id as id,
          case when c.hostgroup_id is not null and c.environment_id is not null then 1 when c.hostgroup_id is not null then 2 else 3 end as rank
        from hosts h join template_combinations c
          on (c.hostgroup_id is null or c.hostgroup_id = h.hostgroup_id) and (c.environment_id is null or c.environment_id = h.environment_id)
            and num_nonnulls(c.hostgroup_id, c.environment_id) > 0
        where h.id = ${host}
        union all
        select d.provisioning_template_id, 4
        from hosts h join os_default_templates d on d.operatingsystem_id = h.operatingsystem_id and d.template_kind_id = ${kind}
        where h.id = ${host}
      )
      select t.id, t.name, t.template, named.rank,
        exists (select from template_operatingsystems l join hosts h on h.operatingsystem_id = l.operatingsystem_id
          where l.template_id = t.id and h.id = ${host}) as os,
        ${limitToHostPlace(ctx, 'organization', place.organization_id)} as organization,
        ${limitToHostPlace(ctx, 'location', place.location_id)} as location,
        ${joinConditions(limitToScope(withoutScope(ctx), TEMPLATES))} as known
      from named join templates t on t.id = named.id
      where t.template_kind_id = ${kind}
      order by named.rank, t.name`,
  )
}

const TEMPLATES = { table: 'templates', type: 'ProvisioningTemplate', taxable: true }

/** Leaves templates `t` of the organization (location) of a host or one above it; all for a host without one. */
export function limitToHostPlace(ctx: Context, kind: 'organization' | 'location', id: number | null): Sql {
  if (id === null) return sql`true`
  const tree = ctx.trees[`${kind}s`]
  const places = [id, ...(tree.get(id)?.above ?? [])]
  if (includesAllOf(tree, places, 'ProvisioningTemplate')) return sql`true`
  return sql`exists (select from ${sql.table(`template_${kind}s`)} l where l.template_id = t.id and ${sql.ref(`l.${kind}_id`)} = any (${places}::bigint[]))`
}

function explain(host: Chooser, candidates: readonly Candidate[]): string {
  const { hostgroup, environment, operatingsystem } = host
  if (operatingsystem === null) return 'it has no operating system'
  const tried = [
    hostgroup !== null && environment !== null && `host group ${hostgroup} with environment ${environment}`,
    hostgroup !== null && `host group ${hostgroup}`,
    environment !== null && `environment ${environment}`,
    `default of ${operatingsystem}`,
  ].filter((rule) => rule !== false)
  const unfit = candidates
    .filter(({ known }) => known)
    .map(({ name, os, organization, location }) => {
      if (!os) return `${name} is not for ${operatingsystem}`
      return `${name} does not belong to its ${[!organization && 'organization', !location && 'location'].filter(Boolean).join(' and ')}`
    })
  return [`nothing is bound to its ${tried.join(', ')}`, ...new Set(unfit)].join('; ')
}
