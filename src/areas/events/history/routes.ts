import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import {
  findRecord,
  findResource,
  joinConditions,
  limitToVisible,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
} from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import { contextQuery, listQuery, offsetOf, readPaging } from '../../../requests/paging.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { PREFIXES } from '../../../requests/surface.ts'
import { selectMoment } from '../../../requests/times.ts'
import { answerUnsearched, buildUnsearchedPageSchema } from '../../../requests/unsearched.ts'
import { sql } from '../../../sql.ts'
import { readChanges } from '../feed/cloud-event.ts'
import { VIEW_EVENTS } from '../feed/read-events.ts'
import { revertRoute } from './revert.ts'

const VERSION = z
  .object({
    version: z.int().meta({ description: 'Counts the changes of the record from 1.' }),
    time: z.string().meta({ description: 'Time of the change.' }),
    user: z.string().nullable().meta({ description: 'Login of the author; null if the service itself acted.' }),
    action: z
      .enum(['create', 'update', 'destroy', 'reveal'])
      .meta({ description: 'What was done; reveal: somebody saw hidden values.' }),
    changes: z.record(z.string(), z.array(z.unknown()).min(2).max(2)).meta({
      description: 'The value before and after by field; null before the creation. Secrets are masked.',
    }),
    comment: z.string().nullable().meta({ description: 'Comment on the change, or reason to see hidden values.' }),
    audit_id: z.int().meta({ description: 'Id of the audit.' }),
  })
  .meta({ title: 'Version', description: 'A change of a record.' })

const PAGE = buildUnsearchedPageSchema(VERSION, {
  total: 'All changes of the record whose audits are kept.',
  perPage: 'Changes on a page.',
  order: 'The newest comes first.',
  results: 'The changes, the newest first.',
})

/** Builds the routes of the history of any audited record, for both surfaces of the API. */
export function historyRoutes(registry: Registry): Route[] {
  const { page, per_page } = listQuery
  const histories = (['core', 'content'] as const).map(
    (surface): Route => ({
      method: 'GET',
      path: `${PREFIXES[surface]}/:resource/:id/history`,
      id: surface === 'core' ? 'history.list' : 'history.list_content',
      group: 'history',
      summary: `Show how a record has changed${surface === 'core' ? '' : ' of content'}`,
      access: { kind: 'permission', anyOf: [VIEW_EVENTS], own: false },
      query: z.object({ page, per_page, ...contextQuery }),
      answers: { 200: PAGE },
      handle: (ctx, input) => show(ctx, findByPath(registry, `${PREFIXES[surface]}/${input.params.resource}`), input),
    }),
  )
  return [...histories, revertRoute(registry)]
}

/** Finds the audited resource at a path. {@throws Failure} unroutable */
function findByPath(registry: Registry, path: string): Resource {
  const found = [...registry.values()].find((one) => one.path === path && one.audited && !one.nestedOnly)
  if (!found?.operations.includes('show')) throw new Failure('unroutable', 'Not Found')
  return found
}

interface StoredVersion {
  readonly version: number
  readonly time: string
  readonly user: string | null
  readonly action: string
  readonly changes: unknown
  readonly comment: string | null
  readonly audit_id: number
}

async function show(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { registry } = resource
  const finding = { permission: permissionOf(resource, 'view'), own: permitsOwn(resource, 'show') }
  const { id } = await findRecord(ctx, resource, input, finding)
  const paging = readPaging(input.query, ctx.settings.entries_per_page)
  const seen = joinConditions([
    ...limitToVisible(ctx, findResource(registry, 'audit'), VIEW_EVENTS),
    ...limitToAuditsOfSeen(ctx, registry, [resource.type]),
  ])
  const audits = sql`audits t where t.auditable_type = ${resource.type} and t.auditable_id = ${Number(id)} and ${seen}`
  const counted = await row<{ count: number }>(ctx.db, sql`select count(*)::integer as count from ${audits}`)
  const versions = await rows<StoredVersion>(
    ctx.db,
    sql`select t.version, ${selectMoment(sql`t.created_at`, 'iso')} as time,
        case when t.user_id is not null then coalesce(t.user_login, t.user_name) end as user,
        t.action, t.audited_changes as changes, t.comment, t.id as audit_id
      from ${audits} order by t.version desc, t.id desc limit ${paging.perPage} offset ${offsetOf(paging)}`,
  )
  return answerUnsearched(
    paging,
    counted?.count ?? 0,
    versions.map((one) => ({ ...one, changes: readChanges(one.action, isMembers(one.changes) ? one.changes : {}) })),
  )
}
