import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  type Action,
  createRecord,
  defineResource,
  integer,
  limitToVisible,
  link,
  lock,
  permissionOf,
  type Resource,
  readBack,
  readDraft,
  type Stored,
  selectRecord,
  text,
  validateBody,
} from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { loadGrantsBefore, refuseWidening } from './escalation.ts'

const KEYS = ['builtin', 'cloned_from_id', 'created_at', 'updated_at', 'name', 'id', 'description', 'origin']

const clone: Action = {
  method: 'POST',
  path: '/:id/clone',
  name: 'clone',
  summary: 'Copy a role with all its filters under a new name',
  permissions: ['create_roles'],
  body: z.object({
    role: z
      .object({
        name: z.string().meta({ description: 'Name of the copy.' }),
        description: z
          .string()
          .nullable()
          .optional()
          .meta({ description: 'For people; default: that of the original.' }),
      })
      .meta({ description: 'Values of the copy that differ from the original.' }),
  }),
  status: 201,
  handle: cloneRole,
}

const fields = {
  name: text({ required: true, search: 'free', doc: 'Unique name.' }),
  description: text({ max: 65_535, search: 'free', doc: 'Optional note.' }),
  builtin: integer({
    readOnly: true,
    required: true,
    search: 'explicit',
    doc: '2: the role of all users; 0: any other role.',
  }),
  cloned_from: link('role', { readOnly: true, onDelete: 'clear', doc: 'The role it is a copy of.' }),
  origin: text({ readOnly: true, doc: 'The program that installed it; such a role is locked.' }),
  filters: children('filter', { show: ['id'], doc: 'Filters of the role; each grants permissions.' }),
  ...buildTaxonomyFields('role'),
}

type RoleFields = typeof fields

/** Roles (core-api §7, §11). Those that come with the program are locked; they can be cloned. */
export const roles = defineResource({
  name: 'role',
  routes: { invalidates: 'identities' },
  summary: 'A set of filters, each granting permissions, that users and user groups hold.',
  fields: fields,
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'filters', 'locations', 'organizations'] },
  permissions: { further: ['escalate_roles'] },
  search: [
    {
      name: 'locked',
      type: 'boolean',
      asText: true,
      column: 'locked',
      expression: (alias) => sql`(${sql.ref(`${alias}.origin`)} is not null and ${sql.ref(`${alias}.builtin`)} = 0)`,
      explicit: true,
    },
    {
      name: 'permission',
      type: 'text',
      column: 'name',
      through: [
        { table: 'filters', column: 'role_id', previous: 'id' },
        { table: 'filter_permissions', column: 'filter_id', previous: 'id' },
        { table: 'permissions', column: 'id', previous: 'permission_id' },
      ],
      many: true,
      nullable: true,
      explicit: true,
    },
  ],
  wrapWrite: {
    async update(ctx, stored, draft, next, { registry }) {
      refuseLocked(stored)
      const places = draft.organizations ? 'organization_ids' : draft.locations ? 'location_ids' : null
      const before = places ? await loadGrantsBefore(ctx, stored.id) : []
      await next(draft)
      if (places) await refuseWidening(ctx, registry, stored.id, before, { field: places, id: stored.id })
    },
    async delete(_ctx, stored, next) {
      refuseLocked(stored)
      if (stored.builtin !== 0) throw invalid({ base: ['A built-in role cannot be deleted'] }, stored.id)
      await next()
    },
  },
  actions: [clone],
})

/** What decides whether a role is locked. */
export type LockedRole = Pick<Stored<RoleFields>, 'id' | 'origin' | 'builtin'>

/** Refuses to change a role that comes with the program. {@throws Failure} invalid */
export function refuseLocked(role: LockedRole): void {
  if (role.origin !== null && role.builtin === 0)
    throw invalid({ base: ['This role is locked from being modified by users.'] }, role.id)
}

async function cloneRole(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const validated = await validateBody(ctx, resource, input.body)
  const segment = readIdSegment(input)
  return inTransaction(ctx, async (tx) => {
    const found = await selectRecord(
      tx.db,
      resource,
      ['id'],
      segment,
      limitToVisible(tx, resource, permissionOf(resource, 'view')),
    )
    if (!found) throw notFound(resource.name, segment)
    const original = await lock(tx, resource, found.id)
    const { description, locations, organizations } = original
    const draft = await readDraft(tx, resource, validated, null)
    const id = await createRecord(tx, resource, {
      description,
      locations,
      organizations,
      ...draft,
      cloned_from: original.id,
    })
    await copyFilters(tx, original.id, id)
    const before = await loadGrantsBefore(tx, original.id)
    await refuseWidening(tx, resource.registry, id, before, { field: 'base', id: null })
    return { status: 201, body: await readBack(tx, resource, id) }
  })
}

/**
 * Copies all filters of a role with their permissions, in one statement. They are limited by the places of the new
 * role.
 */
async function copyFilters(tx: Context, from: number, to: number): Promise<void> {
  await sql`
    with numbered as (
      select *, nextval(pg_get_serial_sequence('filters', 'id')) as new_id from filters where role_id = ${from}
    ), copied as (
      insert into filters (id, role_id, search, override) select new_id, ${to}::bigint, search, false from numbered returning id
    )
    insert into filter_permissions select n.new_id, p.permission_id from numbered n join filter_permissions p on p.filter_id = n.id`.execute(
    tx.db,
  )
}
