import { z } from 'zod'
import { type Context, hasPermission, withoutScope } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { denied, Failure, invalid } from '../../../errors.ts'
import {
  applyShown,
  type Condition,
  createPresenter,
  findRecord,
  joinConditions,
  limitToVisible,
  notVisible,
  pageStatementOf,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
  ROOT,
  type Row,
  resolveParents,
  selectView,
} from '../../../kernel/index.ts'
import { addLazy, computeOnce, copyLazy } from '../../../lib/lazy.ts'
import { offsetOf, readPaging, textParameter } from '../../../requests/paging.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { buildMomentSchema, selectMoment, toMoment } from '../../../requests/times.ts'
import { answerUnsearched } from '../../../requests/unsearched.ts'
import { sql } from '../../../sql.ts'
import { VIEW_EVENTS } from '../feed/read-events.ts'
import { buildPastRows } from './past-rows.ts'
import { isAfter, limitToSeen, refuseUnknownTime } from './rebuild.ts'

const AS_OF = textParameter(
  'Answers records as they were at this time; `unknown` names the keys whose value then is not known.',
  '2026-03-31T14:25:36Z',
)

/** Adds `as_of` to the routes that show and list audited records, and refuses it at other routes of records. */
export function withPast(routes: readonly Route[], registry: Registry): Route[] {
  const isRebuilt = (resource: Resource) =>
    resource.audited && !resource.nestedOnly && listAlike(resource).every(({ table }) => table === resource.table)
  return routes.map((route) => {
    const resource = route.method === 'GET' ? registry.get(route.resource ?? '') : undefined
    if (!resource) return route
    if (isRebuilt(resource) && hasPlain(resource, 'show') && route.id.endsWith(`${resource.plural}.show`))
      return addPast(route, resource, show)
    if (isRebuilt(resource) && hasPlain(resource, 'list') && route.id.endsWith(`${resource.plural}.list`))
      return addPast(route, resource, list)
    return copyLazy(route, { handle: refusePast(route) })
  })
}

/** Lists the resources whose audits have the same type. */
function listAlike({ registry, type }: Resource): Resource[] {
  return [...registry.values()].filter((one) => one.type === type)
}

/** Whether a resource answers an operation in the keys of its view. */
function hasPlain({ operations, wire, actions = [] }: Resource, operation: 'show' | 'list'): boolean {
  if (wire?.handlers?.[operation]) return false
  return (
    operations.includes(operation) || actions.some(({ name, outputs }) => name === operation && outputs === operation)
  )
}

function refusePast({ handle }: Route): Route['handle'] {
  return async (ctx, input) => {
    if (input.query.as_of !== undefined) throw invalid({ as_of: ['is for the lists and records of audited resources'] })
    return handle(ctx, input)
  }
}

type Reader = (ctx: Context, resource: Resource, input: Input, moment: string) => Promise<Answer>

function addPast(route: Route, resource: Resource, answer: Reader): Route {
  const handle: Route['handle'] = (ctx, input) => {
    const { as_of } = input.query
    return as_of === undefined
      ? route.handle(ctx, input)
      : answerPast(ctx, input, (moment) => answer(ctx, resource, input, moment))
  }
  const query = computeOnce(() => (route.query ?? z.object({})).extend({ as_of: AS_OF }))
  return copyLazy(route, addLazy({ handle, refuses: 422 as const }, { query }))
}

const MOMENT = buildMomentSchema()

/** {@throws Failure} denied without the permission to view audits; invalid if `as_of` is no time, or lies before all audits */
async function answerPast(
  ctx: Context,
  { query }: Input,
  answer: (moment: string) => Promise<Answer>,
): Promise<Answer> {
  if (!hasPermission(ctx, VIEW_EVENTS)) throw denied([VIEW_EVENTS])
  const read = MOMENT.safeParse(toMoment(query.as_of))
  if (!read.success) throw invalid({ as_of: [read.error.issues[0]?.message ?? 'must be a date and time'] })
  await refuseUnknownTime(ctx, read.data)
  return answer(read.data)
}

async function show(ctx: Context, resource: Resource, input: Input, moment: string): Promise<Answer> {
  const id = await findId(ctx, resource, input)
  const [state] = await rows<{ created: string | null; deleted: boolean; hidden: boolean }>(
    ctx.db,
    sql`select ${selectMoment(sql`min(t.created_at) filter (where t.action = 'create' and ${isAfter(moment)})`, 'iso')} as created,
        coalesce(bool_or(t.action = 'destroy' and not ${isAfter(moment)}), false) as deleted,
        coalesce(bool_or(${isAfter(moment)} and not ${limitToSeen(ctx, resource.registry, [resource.type])}), false) as hidden
      from audits t where t.auditable_type = ${resource.type} and t.auditable_id = ${id}`,
  )
  if (state?.hidden) throw invalid({ as_of: ['is before a change that you may not see'] }, id)
  if (state?.created) throw invalid({ as_of: [`is before the record was created: ${state.created}`] }, id)
  if (state?.deleted) throw invalid({ as_of: ['is after the record was deleted'] }, id)
  const view = selectView(resource, resource.views.show, input.query)
  const [body] = await readPast(ctx, resource, { ids: [id], view, query: input.query, conditions: [] }, moment)
  if (!body) throw notVisible(ctx, resource, permissionOf(resource, 'view'), String(input.params.id))
  return { status: 200, body }
}

/** Finds the id of a record that is there, or of a deleted one that the caller could have seen. {@throws Failure} not_found */
async function findId(ctx: Context, resource: Resource, input: Input): Promise<number> {
  const finding = { permission: permissionOf(resource, 'view'), own: permitsOwn(resource, 'show') }
  try {
    return (await findRecord(ctx, resource, input, finding)).id
  } catch (error) {
    const named = /^\d{1,15}$/.exec(String(input.params.id))
    if (!named || !(error instanceof Failure) || error.code !== 'not_found') throw error
    const [gone] = await rows<{ id: number }>(
      ctx.db,
      sql`select t.auditable_id as id from ${selectGone(ctx, resource)} and t.auditable_id = ${named[0]}::bigint limit 1`,
    )
    if (!gone) throw error
    return gone.id
  }
}

/** Selects the audits of deletions of records that the caller could have seen. */
function selectGone(ctx: Context, resource: Resource) {
  const seen = limitToSeen(ctx, resource.registry, [resource.type])
  return sql`audits t where t.auditable_type = ${resource.type} and t.action = 'destroy' and ${seen}`
}

const PAGING = ['as_of', 'page', 'per_page', 'organization_id', 'location_id']

async function list(ctx: Context, resource: Resource, input: Input, moment: string): Promise<Answer> {
  const others = Object.keys(input.query).filter((key) => !PAGING.includes(key) && input.query[key] !== undefined)
  if (others.length > 0)
    throw invalid({ as_of: [`cannot be sent with ${others.join(', ')}: lists of a time allow page and per_page`] })
  const paging = readPaging(input.query, ctx.settings.entries_per_page)
  // Where the request names a place, the records that were in it count, wherever they are now.
  const anywhere = ctx.scope.named ? withoutScope(ctx) : ctx
  const visible = limitToVisible(anywhere, resource, permissionOf(resource, 'view'), permitsOwn(resource, 'list'))
  const { conditions } = await resolveParents(ctx, resource, input)
  const ofRecord = sql`t.auditable_type = ${resource.type} and t.auditable_id = candidates.id`
  const seen = limitToSeen(ctx, resource.registry, [resource.type])
  // Which records were of this resource and below these parents shows only once they are rebuilt.
  const isPaged = listAlike(resource).length === 1 && conditions.length === 0
  const page = isPaged ? sql`limit ${paging.perPage} offset ${offsetOf(paging)}` : sql``
  const found = await rows<{ id: number; count: number }>(
    ctx.db,
    sql`select candidates.id, count(*) over ()::integer as count from (
        select t.id from ${sql.table(resource.table)} t where ${joinConditions(visible)}
        union select t.auditable_id from ${selectGone(ctx, resource)} and ${isAfter(moment)}) candidates
      where not exists (select from audits t where ${ofRecord} and ${isAfter(moment)} and (t.action = 'create' or not ${seen}))
        and not exists (select from audits t where ${ofRecord} and t.action = 'destroy' and not ${isAfter(moment)})
      order by candidates.id ${page}`,
  )
  const view = { ids: found.map(({ id }) => id), view: resource.views.list, query: input.query, conditions }
  const read = found.length === 0 ? [] : await readPast(ctx, resource, view, moment)
  const total = isPaged ? (found[0]?.count ?? 0) : read.length
  const begin = offsetOf(paging)
  const records = isPaged ? read : read.slice(begin, begin + (paging.perPage ?? total))
  const { status, body } = answerUnsearched(paging, total, records)
  return {
    status,
    body: resource.surface === 'content' ? Object.assign({ selectable: total, error: null }, body) : body,
  }
}

interface PastRequest {
  readonly ids: readonly number[]
  readonly view: readonly string[]
  readonly query: Input['query']
  /** Conditions on the records as they were. */
  readonly conditions: readonly Condition[]
}

/** Reads records of a time in the keys of a view, in the order of their ids. */
async function readPast(
  ctx: Context,
  resource: Resource,
  { ids, view, query, conditions }: PastRequest,
  moment: string,
): Promise<readonly Row[]> {
  const past = await buildPastRows(ctx, resource, ids, moment)
  const isNamed = { sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }
  const isOne = { sql: resource.records?.where?.(ctx, ROOT) ?? sql`true`, tables: [] }
  const order = { order: sql`t.id` }
  const limits = [isNamed, isOne, ...conditions]
  const statement = pageStatementOf(resource, { view, conditions: limits, order, limit: null, offset: 0 })
  const found = await rows<Row>(ctx.db, sql`${past.clause}${statement}`)
  const present = createPresenter(resource, view, 'view')
  const shown = await applyShown(ctx, resource, found.map(present), query)
  return shown.map((record, place) => past.describe(Number(found[place]?.id), record))
}
