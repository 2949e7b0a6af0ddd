import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { type Action, findResource, type Resource, type Row, type Stored } from '../../../kernel/index.ts'
import { buildNestedSchema, type NestedKeys, selectNested } from '../../../records/nested.ts'
import { contentListQuery, listQuery, offsetOf, readContentPaging } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { selectJsonList, whole, words } from '../content-view/shapes.ts'
import { answerPage, buildListSchema } from '../shared/envelope.ts'
import { rowKeys } from '../shared/nested-records.ts'

const taskKeys = (): NestedKeys => ({
  id: [whole('Its id.'), sql`k.id`],
  uuid: [words('UUID of the task; paths accept it instead of the id.'), sql`k.uuid`],
  label: [words('Kind of the task.'), sql`k.kind`],
  result: [words('Result of the task; pending while steps are left.'), sql`k.result`],
})

const ENTRY = z.object({
  id: whole('Unique in the history.'),
  action: z.enum(['publish', 'promotion']).meta({ description: 'What made the entry: publish or promotion.' }),
  publish: z.boolean().meta({ description: 'Whether the version was made then.' }),
  status: words('Always successful: what went wrong has left nothing; its task says more.'),
  version: words('Number of the version.'),
  version_id: whole('Id of the version.'),
  environment: buildNestedSchema(rowKeys('e', 'id', 'name'))
    .nullable()
    .meta({ description: 'The first of `environments`; null for none.' }),
  environments: z
    .array(buildNestedSchema(rowKeys('e', 'id', 'name')))
    .meta({ description: 'Environments that the version came to by a promotion, as far as they are still there.' }),
  description: z.string().nullable().meta({ description: 'Description given by the user.' }),
  user: z.string().nullable().meta({ description: 'Login of who did it; null once the account is gone.' }),
  task: buildNestedSchema(taskKeys())
    .nullable()
    .meta({ description: 'The task that did it; null once that is no longer kept.' }),
  created_at: words('Time of the event.'),
  updated_at: words('The same.'),
})

const { page, per_page } = listQuery
const { full_result } = contentListQuery

/**
 * Lists what was done with the existing versions of a view: by whom, when, and for which environments (content-api
 * §8.3).
 */
export const viewHistory: Action = {
  method: 'GET',
  path: '/:id/history',
  name: 'history',
  summary: 'List when versions of a content view were published and promoted',
  permissions: [CONTENT_VIEW_PERMISSIONS.view_content_views],
  query: { page, per_page, full_result },
  output: buildListSchema(ENTRY, 'A page of the history of a content view, the latest first.'),
  record: { how: 'found' },
  handle: historyOf,
}

async function historyOf(ctx: Context, views: Resource, input: Input, { id }: Stored): Promise<Answer> {
  const { page, per_page, full_result } = input.query
  const asked = readContentPaging({ page, per_page, full_result }, ctx.settings.entries_per_page)
  const { type } = findResource(views.registry, 'content_view_version')
  // From audits, which are kept longer than tasks.
  const entries = sql`
    from audits a join content_view_versions n on n.id = a.auditable_id
    where a.auditable_type = ${type} and n.content_view_id = ${id}
      and (a.action = 'create' or a.audited_changes -> 'environment_ids' is not null)`
  const counted = await row<{ total: number }>(ctx.db, sql`select count(*) as total ${entries}`)
  const results = await rows<Row>(
    ctx.db,
    sql`
      select h.id, case when h.publish then 'publish' else 'promotion' end as action, h.publish, 'successful' as status,
        h.version, h.version_id, h.environments -> 0 as environment, h.environments,
        case when h.publish then h.description else k.input ->> 'description' end as description, u.login as "user",
        case when k.id is not null then ${selectNested(taskKeys())} end as task,
        ${selectMoment(sql`h.created_at`)} as created_at, ${selectMoment(sql`h.created_at`)} as updated_at
      from (
        select a.id, a.action = 'create' as publish, n.version, n.id as version_id, n.description, a.user_id, a.request_uuid, a.created_at,
          ${selectJsonList(sql`
            select ${selectNested(rowKeys('e', 'id', 'name'))} as item, e.id as place from lifecycle_environments e
            where a.audited_changes -> 'environment_ids' -> 1 @> to_jsonb(e.id)
              and not a.audited_changes -> 'environment_ids' -> 0 @> to_jsonb(e.id)`)} as environments
        ${entries} order by a.id desc limit ${asked.perPage} offset ${offsetOf(asked)}
      ) h left join tasks k on k.uuid = h.request_uuid left join users u on u.id = h.user_id
      order by h.id desc`,
  )
  const { total = 0 } = counted ?? {}
  return answerPage({ total, subtotal: total, results }, asked, 'created_at desc')
}
