import { z } from 'zod'
import { type Context, inTransaction, withBelow } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import {
  type Action,
  defineResource,
  joinConditions,
  limitToVisible,
  link,
  readBack,
  text,
  timestamp,
} from '../../../kernel/index.ts'
import { statedReadable } from '../../../records/nested.ts'
import { selectMoment } from '../../../requests/times.ts'
import { joinAny, sql } from '../../../sql.ts'
import { cancelTask } from '../queue.ts'
import { presentTasks } from './present-tasks.ts'
import { SUMMARY, TASK_KEYS } from './shape.ts'

/** Cancels a waiting task at once; a running one ends after its present step. */
const cancel: Action = {
  method: 'POST',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel a task',
  permissions: ['edit_tasks'],
  own: true,
  refuses: 422,
  record: { how: 'found' },
  handle: async (ctx, resource, _input, { id }) =>
    inTransaction(ctx, async (tx) => {
      const became = await cancelTask(tx.db, id, tx.user.login)
      const task = await readBack(tx, resource, id)
      if (became === 'ended' && task.result !== 'cancelled') {
        throw invalid({ base: [`the task has ended already: its result is ${task.result}`] }, id)
      }
      return { status: 200, body: task }
    }),
}

const GROUP = z.object({
  count: z.int().meta({ description: 'Number of tasks.' }),
  state: z.string().meta({ description: 'State of the tasks counted.' }),
  result: z.string().meta({ description: 'Result of the tasks counted.' }),
  started_at: z.string().nullable().meta({ description: 'Time when the last of them was started; null before that.' }),
})

/** `GET /api/tasks/summary`: counts of tasks that may need attention. Successful ones are left out. */
const summary: Action = {
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

const KEYS = Object.keys(TASK_KEYS)
const TIMES = ['started_at', 'ended_at', 'start_at']

/**
 * The resource of tasks (content-api §2.10). All users see their own; with the permission also those of their
 * organizations and those without one.
 */
export const tasks = defineResource({
  name: 'task',
  summary: SUMMARY,
  fields: {
    uuid: text({
      readOnly: true,
      required: true,
      search: 'explicit',
      doc: 'Unique; paths accept it instead of the id, too.',
    }),
    kind: text({ readOnly: true, required: true, doc: 'Kind of the task.' }),
    action: text({
      readOnly: true,
      required: true,
      search: 'free',
      doc: 'Description of the task; searches do not cover the names of the records that it names.',
    }),
    state: text({
      readOnly: true,
      required: true,
      oneOf: ['planned', 'running', 'stopped'],
      search: 'explicit',
      doc: 'planned, running or stopped.',
    }),
    result: text({
      readOnly: true,
      required: true,
      oneOf: ['pending', 'success', 'warning', 'error', 'cancelled'],
      search: 'explicit',
      doc: 'pending, success, warning, error or cancelled.',
    }),
    user: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who requested it.' }),
    organization: link('organization', {
      readOnly: true,
      onDelete: 'clear',
      doc: 'Its organization.',
    }),
    started_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the start.' }),
    ended_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time of the end.' }),
  },
  operations: ['list', 'show'],
  label: 'uuid',
  routes: { namedBy: 'label' },
  views: { list: KEYS, show: KEYS, order: 'id desc', transform: presentTasks },
  readable: statedReadable(TASK_KEYS, TIMES),
  search: [
    { name: 'label', aliases: ['kind'], type: 'text', column: 'kind', explicit: true },
    { name: 'username', type: 'text', column: 'username', nullable: true, explicit: true },
    {
      name: 'owner',
      aliases: ['user'],
      type: 'text',
      column: 'login',
      through: [{ table: 'users', column: 'id', previous: 'user_id' }],
      nullable: true,
      words: ['current_user'],
      explicit: true,
    },
    { name: 'organization_id', type: 'integer', column: 'organization_id', nullable: true, explicit: true },
  ],
  records: { where: limitToTaskScope, own: limitToOwn, ownOperations: ['list', 'show'] },
  audited: false,
  actions: [cancel, summary],
})

/**
 * Leaves tasks of the request's organization; without one, tasks of the caller's organizations, of none, and the
 * caller's own.
 */
function limitToTaskScope({ scope, trees, user }: Context, alias: string): Sql {
  const organization = sql.ref(`${alias}.organization_id`)
  const selectInside = (ids: readonly number[]) =>
    sql`${organization} = any (${withBelow(trees.organizations, ids)}::bigint[])`
  if (scope.organization !== null) return selectInside([scope.organization])
  if (user.admin) return sql`true`
  return joinAny([sql`${organization} is null`, selectInside(user.organizations), limitToUser(user.id, alias)])
}

function limitToOwn({ user }: Context, alias: string): Sql {
  return limitToUser(user.id, alias)
}

function limitToUser(id: number, alias: string): Sql {
  return sql`${sql.ref(`${alias}.user_id`)} = ${id}`
}
