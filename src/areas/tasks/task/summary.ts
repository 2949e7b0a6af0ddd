import { z } from 'zod'
import { rows } from '../../../database/sql.ts'
import { type Action, joinConditions, limitToVisible } from '../../../kernel/index.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'

const GROUP = z.object({
  count: z.int().meta({ description: 'Number of tasks.' }),
  state: z.string().meta({ description: 'State of the tasks counted.' }),
  result: z.string().meta({ description: 'Result of the tasks counted.' }),
  started_at: z.string().nullable().meta({ description: 'Time when the last of them was started; null before that.' }),
})

/** `GET /api/tasks/summary`: counts of tasks that may need attention. Successful ones are left out. */
export const summary: Action = {
  method: 'GET',
  path: '/summary',
  name: 'summary',
  summary: 'Count tasks that have not succeeded, by state and result',
  permissions: ['view_tasks'],
  own: true,
  output: z.array(GROUP),
  handle: async (ctx, resource) => {
    const seen = joinConditions(limitToVisible(ctx, resource, 'view_tasks', true))
    const body = await rows(
      ctx.db,
      sql`select count(*)::integer as count, t.state, t.result,
          ${selectMoment(sql`max(t.started_at)`)} as started_at
        from tasks t where t.result <> 'success' and ${seen} group by t.state, t.result order by t.state, t.result`,
    )
    return { status: 200, body }
  },
}
