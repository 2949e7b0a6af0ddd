import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { badParameter, notFound } from '../../../errors.ts'
import { findResource, joinConditions, limitToVisible, type Registry } from '../../../kernel/index.ts'
import { buildNestedSchema, type NestedKeys, selectNested } from '../../../records/nested.ts'
import { listQuery, offsetOf, readContentPaging } from '../../../requests/paging.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { answerUnsearched, buildUnsearchedPageSchema } from '../../../requests/unsearched.ts'
import { sql } from '../../../sql.ts'
import { PAIR_VERSION, pairKeys } from '../shared/pair.ts'

const KEYS: NestedKeys = {
  id: [z.int().meta({ description: 'Its id.' }), sql`c.id`],
  ...pairKeys(),
}

const PAIR = buildNestedSchema(KEYS).meta({
  title: 'ContentViewEnvironment',
  description: 'A content view in a lifecycle environment that has a version of it.',
})

const FILTERS = {
  organization_id: 'e.organization_id',
  content_view_id: 'v.id',
  lifecycle_environment_id: 'e.id',
} as const

/** Routes that list content views in lifecycle environments, which newer clients name by ids (newer-clients §2h). */
export function contentViewEnvironmentRoutes(registry: Registry): Route[] {
  const { page, per_page } = listQuery
  const filters = Object.fromEntries(
    Object.keys(FILTERS).map((name) => [
      name,
      z
        .string()
        .optional()
        .meta({ description: `Only those of this ${name}.` }),
    ]),
  )
  const common = {
    method: 'GET',
    group: 'content_view_environments',
    access: { kind: 'permission', anyOf: ['view_content_views'], own: false },
  } as const
  return [
    {
      ...common,
      path: '/content/api/content_view_environments',
      id: 'content_view_environments.list',
      summary: 'List content views in lifecycle environments',
      query: z.object({ page, per_page, ...filters }),
      answers: {
        200: buildUnsearchedPageSchema(PAIR, {
          total: 'All that the caller may see.',
          perPage: 'Records on a page.',
          order: 'In order of their ids.',
          results: 'Content views in environments.',
        }),
      },
      handle: (ctx, input) => list(ctx, registry, input),
    },
    {
      ...common,
      path: '/content/api/content_view_environments/:id',
      id: 'content_view_environments.show',
      summary: 'Show a content view in a lifecycle environment',
      answers: { 200: PAIR },
      handle: (ctx, input) => show(ctx, registry, input),
    },
  ]
}

async function list(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  const paging = readContentPaging(input.query, ctx.settings.entries_per_page)
  const wanted = Object.entries(FILTERS).flatMap(([name, column]): Sql[] => {
    const id = readSingle(input.query, name)
    if (id === null || id === '') return []
    if (!/^\d{1,15}$/.test(id)) throw badParameter(name, id, 'must be an id')
    return [sql`${sql.ref(column)} = ${Number(id)}`]
  })
  const from = selectSeen(ctx, registry, wanted)
  const found = await row<{ total: number; results: unknown[] }>(
    ctx.db,
    sql`select (select count(*)::integer ${from}) as total, coalesce((select json_agg(x.pair) from (select ${selectNested(KEYS)} as pair ${from}
      order by c.id limit ${paging.perPage} offset ${offsetOf(paging)}) x), '[]') as results`,
  )
  return answerUnsearched(paging, found?.total ?? 0, found?.results ?? [])
}

async function show(ctx: Context, registry: Registry, { params }: Input): Promise<Answer> {
  const { id = '' } = params
  const isId = /^\d{1,15}$/.test(id)
  const from = selectSeen(ctx, registry, [isId ? sql`c.id = ${Number(id)}` : sql`false`])
  const found = await row<{ pair: unknown }>(ctx.db, sql`select ${selectNested(KEYS)} as pair ${from}`)
  if (!found) throw notFound('content_view_environment', id)
  return { status: 200, body: found.pair }
}

/** Selects from the pairs whose view and environment the caller may see. */
function selectSeen(ctx: Context, registry: Registry, wanted: readonly Sql[]): Sql {
  const selectIds = (name: string, table: string, permission: string) =>
    sql`(select t.id from ${sql.table(table)} t where ${joinConditions(limitToVisible(ctx, findResource(registry, name), permission))})`
  const seen = [
    sql`v.id in ${selectIds('content_view', 'content_views', 'view_content_views')}`,
    sql`e.id in ${selectIds('lifecycle_environment', 'lifecycle_environments', 'view_lifecycle_environments')}`,
    sql`c.id is not null`,
    ...wanted,
  ]
  return sql`from content_view_environments p join content_views v on v.id = p.content_view_id
    join lifecycle_environments e on e.id = p.environment_id ${PAIR_VERSION} where ${sql.join(seen, sql` and `)}`
}
