import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import {
  type Draft,
  type Field,
  type Link,
  links,
  type Stored,
  TAXONOMIES,
  type Taxonomy,
} from '../../../kernel/index.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import { sql } from '../../../sql.ts'

type Places = Field<readonly number[]>

/** The fields for organizations and locations that limit a filter: its own, or those of its role (core-api §7.1). */
export function placesOfFilter(): { readonly locations: Places; readonly organizations: Places } {
  const own = buildTaxonomyFields('filter')
  const [organization, location] = TAXONOMIES
  return {
    locations: orOfRole(own.locations, location),
    organizations: orOfRole(own.organizations, organization),
  }
}

function orOfRole(own: Places, { kind, plural }: Taxonomy): Places {
  const ofRole = links(kind, {
    doc: own.doc,
    through: `role_${plural}`,
    own: 'role_id',
    show: ['id', 'name', 'title', 'description'],
  })
  return {
    ...own,
    readable: (at) => {
      const [mine, inherited] = [own.readable(at)[at.name], ofRole.readable(at)[at.name]]
      if (!mine || !inherited) throw new Error('links are shown under their own name')
      const listTypes = () =>
        [...at.target(kind).registry.values()].filter(({ taxable }) => taxable).map(({ type }) => type)
      return {
        [at.name]: {
          ...mine,
          sql: (alias) => sql`case when ${sql.ref(`${alias}.override`)} then ${mine.sql(alias)}
            when exists (select from filter_permissions fp join permissions p on p.id = fp.permission_id
              where fp.filter_id = ${sql.ref(`${alias}.id`)} and p.resource_type = any (${listTypes()}::text[]))
            then (select ${inherited.sql('role')} from roles role where role.id = ${sql.ref(`${alias}.role_id`)}) else '[]' end`,
        },
      }
    },
  }
}

type LimitedFields = ReturnType<typeof placesOfFilter> & {
  readonly override: Field<boolean>
  readonly role: Field<number> & Link
}

/**
 * Completes the places of a filter. It has own ones only if it overrides those of its role; they then begin as copies
 * of these.
 */
export async function resolvePlaces(
  ctx: Context,
  draft: Draft<LimitedFields>,
  stored: Stored<LimitedFields> | null,
): Promise<Draft<LimitedFields>> {
  const overrides = draft.override ?? stored?.override
  if (!overrides) return { ...draft, organizations: [], locations: [] }
  if (!stored || stored.override) return draft
  const ofRole = await row<{ organizations: number[]; locations: number[] }>(
    ctx.db,
    sql`select array(select organization_id from role_organizations where role_id = r.id order by 1) as organizations,
        array(select location_id from role_locations where role_id = r.id order by 1) as locations
      from roles r where r.id = ${draft.role ?? stored.role_id}::bigint`,
  )
  return { ...ofRole, ...draft }
}
