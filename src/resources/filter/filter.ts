import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { row, rows, type Sql } from '../../database/sql.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { boolean, link, links, text } from '../../kernel/fields/index.ts'
import { type Draft, defineResource, type Fields, type Resource, type Stored } from '../../kernel/resource.ts'
import { searchOptions } from '../../kernel/searching.ts'
import { taxonomyFields } from '../../kernel/taxonomies.ts'
import { compileSearch, SearchError } from '../../search/index.ts'
import { refuseLocked } from '../role/role.ts'
import { beyondOwn } from './beyond.ts'

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

/** Core-api §7.1 and §11. */
export const filters = defineResource({
  name: 'filter',
  summary: 'Permissions for the records of one type, maybe only for some of them.',
  fields: {
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
      doc: 'What it permits, for one type of records.',
    }),
    search: text({
      max: 65_535,
      search: 'explicit',
      doc: 'Only records that this condition of the search language holds for; null: all.',
    }),
    override: boolean({
      initial: false,
      search: 'explicit',
      doc: 'Has locations and organizations of its own instead of those of its role.',
    }),
    ...taxonomyFields('filter'),
  },
  order: 'id',
  views: { list: KEYS, show: [...KEYS, 'locations', 'organizations'] },
  readable: {
    resource_type: {
      schema: () => z.string().nullable().meta({ description: 'The type of records it is about.' }),
      sql: typeOf,
    },
    resource_type_label: {
      schema: () => z.string().nullable().meta({ description: 'What people call that type.' }),
      sql: typeOf,
    },
    'unlimited?': {
      schema: () => z.boolean().meta({ description: 'Whether it is about all records of the type.' }),
      sql: unlimited,
    },
    'override?': {
      schema: () => z.boolean().meta({ description: 'Whether its locations and organizations are its own.' }),
      sql: (alias) => sql.ref(`${alias}.override`),
    },
  },
  parents: { role: 'role' },
  around: {
    async create(ctx, draft, next, resource) {
      await refuseInvalid(ctx, resource, draft, null)
      return next(normal(draft))
    },
    async update(ctx, stored, draft, next, resource) {
      await refuseInvalid(ctx, resource, { role: stored.role_id, ...stored, ...draft }, stored)
      await next(normal(draft))
    },
    async delete(ctx, stored, next) {
      await refuseLockedRole(ctx, stored.role_id)
      await next()
    },
  },
})

function typeOf(alias: string): Sql {
  return sql`(select min(p.resource_type) from filter_permissions fp join permissions p on p.id = fp.permission_id where fp.filter_id = ${sql.ref(`${alias}.id`)})`
}

function unlimited(alias: string): Sql {
  const id = sql.ref(`${alias}.id`)
  const role = sql.ref(`${alias}.role_id`)
  return sql`(${sql.ref(`${alias}.search`)} is null and case when ${sql.ref(`${alias}.override`)}
    then not exists (select from filter_organizations where filter_id = ${id}) and not exists (select from filter_locations where filter_id = ${id})
    else not exists (select from role_organizations where role_id = ${role}) and not exists (select from role_locations where role_id = ${role}) end)`
}

/** A blank condition is none. */
function normal<F extends Fields>(draft: Draft<F>): Draft<F> {
  return draft.search === '' ? { ...draft, search: null } : draft
}

async function refuseInvalid(ctx: Context, resource: Resource, filter: Draft, stored: Stored | null): Promise<void> {
  await refuseLockedRole(ctx, filter.role)
  if (stored && stored.role_id !== filter.role) await refuseLockedRole(ctx, stored.role_id)
  const permissions = await rows<{ name: string; resource_type: string | null }>(
    ctx.db,
    sql`select name, resource_type from permissions where id = any (${filter.permissions ?? []}::bigint[])`,
  )
  const beyond = await beyondOwn(
    ctx,
    filter,
    permissions.map(({ name }) => name),
  )
  const errors = problems(ctx, resource, filter, permissions, beyond)
  if (Object.keys(errors).length > 0) throw invalid(errors, stored?.id ?? null)
}

function problems(
  ctx: Context,
  resource: Resource,
  filter: Draft,
  permissions: readonly { name: string; resource_type: string | null }[],
  beyond: readonly string[],
): FieldErrors {
  if (permissions.length === 0) return { permission_ids: ["can't be blank"] }
  const types = new Set(permissions.map(({ resource_type }) => resource_type))
  if (types.size > 1) return { permission_ids: ['must be permissions of the same resource type'] }
  if (beyond.length > 0) {
    return { permission_ids: [`You can't grant more than you have yourself: ${beyond.join(', ')}`] }
  }
  const [type] = types
  const limited = [...resource.registry.values()].find((candidate) => candidate.type === type)
  const errors: FieldErrors = {}
  if (filter.search) Object.assign(errors, searchProblem(ctx, limited, String(filter.search)))
  const scoped = [filter.organizations, filter.locations].some((ids) => Array.isArray(ids) && ids.length > 0)
  if (filter.override && scoped && !limited?.taxable) {
    errors.override = [`cannot be used: records of type ${type} do not belong to locations and organizations`]
  }
  return errors
}

function searchProblem(ctx: Context, limited: Resource | undefined, search: string): FieldErrors {
  if (!limited) return { search: ['cannot be used with these permissions'] }
  try {
    compileSearch(limited.searchSchema, search, searchOptions(ctx))
    return {}
  } catch (error) {
    if (error instanceof SearchError) return { search: [error.message] }
    throw error
  }
}

async function refuseLockedRole(ctx: Context, id: unknown): Promise<void> {
  const role = await row<Stored>(ctx.db, sql`select id, origin, builtin from roles where id = ${id}::bigint for share`)
  if (role) refuseLocked(role)
}
