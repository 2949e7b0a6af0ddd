import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import {
  boolean,
  type Draft,
  defineResource,
  link,
  links,
  type NewDraft,
  type Registry,
  type Resource,
  readDraft,
  type Sent,
  type Stored,
  searchOptionsOf,
  validateBody,
} from '../../../kernel/index.ts'
import { findDeclared } from '../../../records/declared.ts'
import { textIn } from '../../../records/text-in.ts'
import { SEARCH } from '../../../requests/languages.ts'
import { compileSearch, MAX_KEPT_COST, requireWords, SearchError } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'
import { loadGrantsBefore, refuseWidening } from '../role/escalation.ts'
import { type LockedRole, refuseLocked } from '../role/role.ts'
import { placesOfFilter, resolvePlaces } from './places.ts'

const KEYS = [
  'search',
  'resource_type',
  'resource_type_label',
  'unlimited?',
  'created_at',
  'updated_at',
  'override?',
  'id',
  'role',
  'permissions',
]

const fields = {
  role: link('role', {
    required: true,
    onDelete: 'cascade',
    show: ['name', 'id', 'description', 'origin'],
    search: true,
    doc: 'The role that grants it.',
  }),
  permissions: links('permission', {
    through: 'filter_permissions',
    show: ['name', 'id', 'resource_type'],
    search: true,
    doc: 'Permissions that it grants, all for one type of records.',
  }),
  search: textIn(SEARCH, {
    max: 65_535,
    search: 'explicit',
    doc: 'Only records that match this search; null: all.',
  }),
  override: boolean({
    initial: false,
    search: 'explicit',
    doc: 'Has locations and organizations of its own instead of those of its role.',
  }),
  ...placesOfFilter(),
}

type FilterFields = typeof fields

/** The tables that say which organizations and locations filters and roles are limited to. */
const PLACES = ['filter_organizations', 'filter_locations', 'role_organizations', 'role_locations']

/** Filters: permissions of a role, with conditions on the records (core-api §7.1, §11). */
export const filters = defineResource({
  name: 'filter',
  routes: { invalidates: 'identities', parents: { role: 'role' } },
  summary: 'Permissions for the records of one type, maybe only for some of them.',
  fields: fields,
  views: { list: KEYS, show: [...KEYS, 'locations', 'organizations'], order: 'id' },
  readable: {
    resource_type: {
      schema: () => z.string().nullable().meta({ description: 'The type of its records.' }),
      sql: typeOf,
    },
    resource_type_label: {
      schema: () => z.string().nullable().meta({ description: 'Display name of the type.' }),
      sql: typeOf,
    },
    'unlimited?': {
      schema: () => z.boolean().meta({ description: 'Whether it covers all records of the type.' }),
      sql: selectUnlimited,
    },
    'override?': {
      schema: () => z.boolean().meta({ description: 'Whether its locations and organizations are its own.' }),
      sql: (alias) => sql.ref(`${alias}.override`),
    },
  },
  search: [
    {
      name: 'resource',
      type: 'text',
      column: 'id',
      expression: typeOf,
      tables: ['filter_permissions', 'permissions'],
      nullable: true,
      explicit: true,
    },
    {
      name: 'unlimited',
      type: 'boolean',
      asText: true,
      column: 'unlimited',
      expression: selectUnlimited,
      tables: PLACES,
      explicit: true,
    },
    {
      name: 'limited',
      type: 'boolean',
      asText: true,
      column: 'limited',
      expression: (alias) => sql`(not ${selectUnlimited(alias)})`,
      tables: PLACES,
      explicit: true,
    },
  ],
  wrapWrite: {
    async create(ctx, sent, next, resource) {
      const draft = { ...sent, ...(await resolvePlaces(ctx, sent, null)) }
      await refuseInvalidFilter(ctx, resource, draft, null)
      const { role } = draft
      const before = await loadGrantsBefore(ctx, role)
      const id = await next(withoutBlankSearch(draft))
      await refuseWidening(ctx, resource.registry, role, before, { field: 'permission_ids', id: null })
      return id
    },
    async update(ctx, stored, sent, next, resource) {
      const draft = { ...sent, ...(await resolvePlaces(ctx, sent, stored)) }
      await refuseInvalidFilter(ctx, resource, { role: stored.role_id, ...stored, ...draft }, stored)
      const role = draft.role ?? stored.role_id
      const before = await loadGrantsBefore(ctx, role)
      await next(withoutBlankSearch(draft))
      await refuseWidening(ctx, resource.registry, role, before, { field: 'permission_ids', id: stored.id })
    },
    async delete(ctx, stored, next) {
      await refuseLockedRole(ctx, stored.role_id)
      await next()
    },
  },
})

/** Reads a filter as it would be created, and stores nothing. {@throws Failure} invalid, unknown_reference */
export async function readNewFilter(ctx: Context, registry: Registry, body: Sent): Promise<NewDraft<FilterFields>> {
  const resource = findDeclared(registry, 'filter', fields)
  const draft = await readDraft(ctx, resource, await validateBody(ctx, resource, body), null)
  const { organizations, locations } = await resolvePlaces(ctx, draft, null)
  const placed = { ...draft, organizations, locations }
  await refuseInvalidFilter(ctx, resource, placed, null)
  return { ...placed, search: placed.search || null }
}

/** Refuses to change filters of a role that comes with the program. {@throws Failure} invalid */
export async function refuseLockedRole(ctx: Context, id: number | undefined): Promise<void> {
  const role = await row<LockedRole>(
    ctx.db,
    sql`select id, origin, builtin from roles where id = ${id}::bigint for share`,
  )
  if (role) refuseLocked(role)
}

function typeOf(alias: string): Sql {
  return sql`(select min(p.resource_type) from filter_permissions fp join permissions p on p.id = fp.permission_id where fp.filter_id = ${sql.ref(`${alias}.id`)})`
}

function selectUnlimited(alias: string): Sql {
  const id = sql.ref(`${alias}.id`)
  const role = sql.ref(`${alias}.role_id`)
  return sql`(${sql.ref(`${alias}.search`)} is null and case when ${sql.ref(`${alias}.override`)}
    then not exists (select from filter_organizations where filter_id = ${id}) and not exists (select from filter_locations where filter_id = ${id})
    else not exists (select from role_organizations where role_id = ${role}) and not exists (select from role_locations where role_id = ${role}) end)`
}

/** Turns a blank search into none. */
function withoutBlankSearch(draft: Draft<FilterFields>): Draft<FilterFields> {
  return draft.search === '' ? { ...draft, search: null } : draft
}

async function refuseInvalidFilter(
  ctx: Context,
  resource: Resource,
  filter: Draft<FilterFields>,
  stored: Stored<FilterFields> | null,
): Promise<void> {
  await refuseLockedRole(ctx, filter.role)
  if (stored && stored.role_id !== filter.role) await refuseLockedRole(ctx, stored.role_id)
  const permissions = await rows<{ resource_type: string | null }>(
    ctx.db,
    sql`select resource_type from permissions where id = any (${filter.permissions ?? []}::bigint[])`,
  )
  refuseInvalid(validateFilter(ctx, resource, filter, permissions), stored?.id ?? null)
}

function validateFilter(
  ctx: Context,
  resource: Resource,
  filter: Draft<FilterFields>,
  permissions: readonly { resource_type: string | null }[],
): FieldErrors {
  if (permissions.length === 0) return { permission_ids: ["can't be blank"] }
  const types = new Set(permissions.map(({ resource_type }) => resource_type))
  if (types.size > 1) return { permission_ids: ['must be permissions of the same resource type'] }
  const [type] = types
  const limited = [...resource.registry.values()].find((candidate) => candidate.type === type)
  const errors: FieldErrors = {}
  if (filter.search) Object.assign(errors, searchProblem(ctx, limited, filter.search))
  const scoped = [filter.organizations, filter.locations].some((ids) => Array.isArray(ids) && ids.length > 0)
  if (filter.override && scoped && !limited?.taxable) {
    errors.override = [`cannot be used: records of type ${type} do not belong to locations and organizations`]
  }
  return errors
}

function searchProblem(ctx: Context, limited: Resource | undefined, search: string): FieldErrors {
  if (!limited) return { search: ['cannot be used with these permissions'] }
  try {
    const { cost } = compileSearch(limited.searchSchema, search, searchOptionsOf(ctx))
    requireWords(search)
    return cost > MAX_KEPT_COST ? { search: [TOO_LARGE] } : {}
  } catch (error) {
    if (error instanceof SearchError) return { search: [error.message] }
    throw error
  }
}

/** The search of a filter is part of each request by anybody with its role, so its size is limited. */
const TOO_LARGE = 'is too large for a filter: use fewer conditions, or write lists as field ^ (a, b, c)'
