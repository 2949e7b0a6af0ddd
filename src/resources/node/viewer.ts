import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { permissionFor, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Registry, Resource } from '../../kernel/resource.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import type { Viewer } from './prepare.ts'

/** Whoever may not see a parameter gets a document without it; passwords of processors are for those who may edit the host. */
export async function viewerOf(ctx: Context, hosts: Resource, id: number): Promise<Viewer> {
  const editable = visible(ctx, hosts, permissionFor(hosts, 'edit'))
  const passwords = editable.length === 0 || (await selectRecord(ctx.db, hosts, ['id'], id, editable)) !== undefined
  return { ...(await viewerOfMany(ctx, hosts.registry)), passwords }
}

/** The same for whatever hosts: without passwords, which depend on the host. */
export async function viewerOfMany(ctx: Context, registry: Registry): Promise<Viewer> {
  const parameter = registry.get('parameter')
  const conditions = parameter ? visible(ctx, parameter, 'view_params') : []
  if (conditions.length === 0) return { parameters: null, passwords: false }
  const seen = await rows<{ id: number }>(ctx.db, sql`select t.id from parameters t where ${where(conditions)}`)
  return { parameters: new Set(seen.map((each) => each.id)), passwords: false }
}
