import { z } from 'zod'
import type { Actor, Context } from '../../../context.ts'
import { type Db, row } from '../../../database/sql.ts'
import { badParameter, Failure, notFound } from '../../../errors.ts'
import {
  type Action,
  limitToVisible,
  permissionOf,
  type Resource,
  type Stored,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadActor, loadHeldFilters } from '../identity/actors.ts'

const ANYWHERE = { organization: null, location: null, named: false }

/** The action that tells whether a user may do something with a record, and which filters permit it. */
export const may: Action = {
  method: 'GET',
  path: '/:id/may',
  name: 'may',
  summary: 'Say whether a user may do something with a record, and by which filters; for administrators',
  permissions: ['view_users'],
  query: {
    permission: z.string().optional().meta({ description: 'Permission to check, e.g. edit_hosts.' }),
    resource: z.string().optional().meta({ description: 'Type of the record, e.g. host.' }),
    record: z.string().optional().meta({ description: 'Id or name of the record.' }),
  },
  output: z
    .object({
      may: z.boolean().meta({ description: 'Whether the user may do it.' }),
      admin: z.boolean().meta({ description: 'Whether the user is an administrator, for whom no filter counts.' }),
      disabled: z.boolean().meta({ description: 'Whether the user may not log in, and so may do nothing.' }),
      record_id: z.int().meta({ description: 'Id of the record.' }),
      filters: z
        .array(
          z.object({
            id: z.int().meta({ description: 'Id of the filter.' }),
            role_id: z.int().meta({ description: 'Id of the role that grants it.' }),
            role_name: z.string().meta({ description: 'Its name.' }),
            search: z.string().nullable().meta({ description: 'Its condition; null: all records.' }),
            may: z.boolean().meta({ description: 'Whether it lets them do this with this record.' }),
          }),
        )
        .meta({
          description: 'Filters that they hold, directly or by groups, and that grant the permission for some records.',
        }),
    })
    .meta({ title: 'May', description: 'Whether a user may do something, and why.' }),
  record: { how: 'found', keys: ['id'] },
  handle: explainPermission,
}

async function explainPermission(ctx: Context, users: Resource, { query }: Input, { id }: Stored): Promise<Answer> {
  if (!ctx.user.admin) throw new Failure('denied', 'Access denied', { details: OTHERS, missingPermissions: null })
  const permission = readRequiredText(query, 'permission')
  const kind = readRequiredText(query, 'resource')
  const segment = readRequiredText(query, 'record')
  const resource = users.registry.get(kind)
  if (!resource) throw badParameter('resource', kind, 'must be a kind of records in the singular, such as host')
  if (!(await isPermission(ctx.db, permission)))
    throw badParameter('permission', permission, 'must be the name of a permission, such as edit_hosts')
  const visible = limitToVisible(ctx, resource, permissionOf(resource, 'view'))
  const record = await selectRecord(ctx.db, resource, ['id'], segment, visible)
  if (!record) throw notFound(resource.name, segment)
  const actor = await loadActor(ctx.db, id)
  if (!actor) throw notFound(users.name, id)
  const record_id = Number(record.id)
  const mayBy = async (grants: Actor['grants']) => {
    const as = { ...ctx, user: { ...actor, grants }, scope: ANYWHERE }
    const left = await selectRecord(ctx.db, resource, ['id'], record_id, limitToVisible(as, resource, permission))
    return left !== undefined && (actor.admin || grants.has(permission))
  }
  const filters = []
  for (const { id, role_id, role_name, ...grant } of await loadHeldFilters(ctx.db, actor.id, permission))
    filters.push({ id, role_id, role_name, search: grant.search, may: await mayBy(new Map([[permission, [grant]]])) })
  const isAllowed = !actor.disabled && (await mayBy(actor.grants))
  return { status: 200, body: { may: isAllowed, admin: actor.admin, disabled: actor.disabled, record_id, filters } }
}

async function isPermission(db: Db, name: string): Promise<boolean> {
  return (await row(db, sql`select from permissions where name = ${name}`)) !== undefined
}

const OTHERS = 'Only administrators can ask what somebody may do'

/** Reads a required query parameter. {@throws Failure} bad_parameter when it is missing */
function readRequiredText(query: Input['query'], name: string): string {
  const value = query[name]
  if (typeof value !== 'string' || value === '') throw badParameter(name, value ?? null, 'must be given once')
  return value
}
