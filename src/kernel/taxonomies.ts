import { type Context, hasPermission } from '../context.ts'
import { row, rows } from '../database/sql.ts'
import { Failure, type FieldErrors, invalid, refuseInvalid } from '../errors.ts'
import { readNumbers } from '../lib/values.ts'
import { sql } from '../sql.ts'
import type { Resource } from './definition.ts'
import { notInOrganization } from './operations/find.ts'
import type { Draft, Stored } from './record.ts'
import { TAXONOMIES, type Taxonomy } from './scope.ts'

/**
 * Completes and validates the organizations and locations of a write (core-api §5.4): a new record also gets those of the
 * request, otherwise, if it names none, the only ones that exist; limited callers may assign only their own. {@throws Failure}
 */
export async function assignTaxonomies(
  ctx: Context,
  resource: Resource,
  draft: Draft,
  stored: Stored | null,
): Promise<Draft> {
  if (!resource.taxable) return draft
  if (resource.taxable === 'own') return assignOwn(ctx, draft, stored)
  if (resource.taxable === 'organization') return assignOrganization(ctx, resource, draft, stored)
  const assigned: Draft = { ...draft }
  const errors: FieldErrors = {}
  for (const taxonomy of TAXONOMIES) {
    const ids = stored ? (readNumbers(draft, taxonomy.plural) ?? undefined) : await resolveInitial(ctx, draft, taxonomy)
    if (ids === undefined) continue
    assigned[taxonomy.plural] = ids
    const before = (stored && readNumbers(stored, taxonomy.plural)) ?? []
    const message = check(ctx, taxonomy, before, ids)
    if (message) errors[`${taxonomy.kind}_ids`] = [message]
  }
  refuseInvalid(errors, stored?.id ?? null)
  return assigned
}

/** Completes organization and location of records with one of each: those of the request, or the only ones that exist. */
async function assignOwn(ctx: Context, draft: Draft, stored: Stored | null): Promise<Draft> {
  const assigned: Draft = { ...draft }
  const errors: FieldErrors = {}
  for (const taxonomy of TAXONOMIES) {
    const { kind } = taxonomy
    if (!stored && assigned[kind] === undefined)
      assigned[kind] = ctx.scope[kind] ?? (await loadOnlyOne(ctx, taxonomy))[0] ?? null
    const wanted = assigned[kind]
    if (typeof wanted !== 'number' || wanted === stored?.[`${kind}_id`]) continue
    if (!ctx.user.admin && !ctx.user[taxonomy.plural].includes(wanted)) errors[`${kind}_id`] = ['is not one of yours']
  }
  refuseInvalid(errors, stored?.id ?? null)
  return assigned
}

/**
 * Completes the organization of records that have one for ever, and refuses links to records of other organizations.
 * {@throws Failure} not_found without one, wrong_organization for another, invalid for links to records of others
 */
async function assignOrganization(
  ctx: Context,
  resource: Resource,
  draft: Draft,
  stored: Stored | null,
): Promise<Draft> {
  const organization = stored ? stored.organization_id : (draft.organization ?? ctx.scope.organization)
  if (typeof organization !== 'number')
    throw new Failure('not_found', 'One of parameters [ organization_id ] required but not specified.')
  if (stored && draft.organization !== undefined && draft.organization !== organization) throw notInOrganization()
  if (!stored && !ctx.user.admin && !ctx.user.organizations.includes(organization))
    throw invalid({ organization_id: ['is not one of yours'] })
  await refuseForeign(ctx, resource, draft, organization, stored?.id ?? null)
  return { ...draft, organization }
}

async function refuseForeign(
  ctx: Context,
  resource: Resource,
  draft: Draft,
  organization: number,
  id: number | null,
): Promise<void> {
  const linked = resource.placed.flatMap(({ name, field, at, auditKey }) => {
    const target = field.refersTo && at.target(field.refersTo.resource)
    const ids = [draft[name] ?? []].flat().filter((value) => typeof value === 'number')
    return target?.taxable === 'organization' && ids.length > 0 ? [{ key: auditKey, target, ids }] : []
  })
  if (linked.length === 0) return
  const foreign = await rows<{ key: string }>(
    ctx.db,
    sql.join(
      linked.map(
        ({ key, target, ids }) =>
          sql`select distinct ${key}::text as key from ${sql.table(target.table)} where id = any (${ids}::bigint[]) and organization_id <> ${organization}`,
      ),
      sql` union all `,
    ),
  )
  if (foreign.length === 0) return
  throw invalid(Object.fromEntries(foreign.map(({ key }) => [key, ['belongs to another organization']])), id)
}

async function resolveInitial(ctx: Context, draft: Draft, taxonomy: Taxonomy): Promise<number[]> {
  const sent = readNumbers(draft, taxonomy.plural)
  const current = ctx.scope[taxonomy.kind]
  if (current !== null) return [...new Set([...(sent ?? []), current])].sort((a, b) => a - b)
  return sent ?? (await loadOnlyOne(ctx, taxonomy))
}

async function loadOnlyOne(ctx: Context, { plural }: Taxonomy): Promise<number[]> {
  const found = await row<{ ids: number[] }>(
    ctx.db,
    sql`select array(select id from ${sql.table(plural)} limit 2) as ids`,
  )
  return found?.ids.length === 1 ? found.ids : []
}

function check(ctx: Context, { plural }: Taxonomy, before: readonly number[], ids: readonly number[]): string | null {
  const theirs = ctx.user[plural]
  if (ctx.user.admin || theirs.length === 0) return null
  const kept = new Set(before)
  const unchanged = ids.length === before.length && ids.every((id) => kept.has(id))
  const assignable = new Set(hasPermission(ctx, `assign_${plural}`) ? theirs : [])
  if (unchanged || (ids.length > 0 && ids.every((id) => kept.has(id) || assignable.has(id)))) return null
  return `Invalid ${plural} selection, you must select at least one of yours and have 'assign_${plural}' permission.`
}
