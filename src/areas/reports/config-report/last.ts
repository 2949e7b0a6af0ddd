import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import {
  type Action,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Resource,
  resolveParents,
  show,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'

/** Answers the newest report of a host, or of all hosts that the caller sees. */
export const lastReport: Action = {
  method: 'GET',
  path: '/last',
  below: ['host'],
  name: 'last',
  summary: 'Show the newest configuration report',
  permissions: ['view_config_reports'],
  handle: showLast,
}

async function showLast(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const conditions = [
    ...limitToVisible(ctx, resource, permissionOf(resource, 'view')),
    ...(await resolveParents(ctx, resource, input)).conditions,
  ]
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from config_reports t where ${joinConditions(conditions)} order by t.reported_at desc, t.id desc limit 1`,
  )
  if (!found) throw notFound(resource.name, 'last')
  return show(ctx, resource, { ...input, params: { ...input.params, id: String(found.id) } })
}
