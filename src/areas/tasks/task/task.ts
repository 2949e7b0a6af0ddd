import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { defineResource, link, text, timestamp } from '../../../kernel/index.ts'
import { statedReadable } from '../../../records/nested.ts'
import { joinAny } from '../../../search/sql.ts'
import { sql } from '../../../sql.ts'
import { withBelow } from '../../../trees.ts'
import { cancel } from './cancel.ts'
import { presentTasks } from './present-tasks.ts'
import { SUMMARY, TASK_KEYS } from './shape.ts'
import { summary } from './summary.ts'

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
  views: { list: KEYS, show: KEYS, order: 'id desc', shown: presentTasks },
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
