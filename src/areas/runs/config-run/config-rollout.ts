import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { Failure, invalid } from '../../../errors.ts'
import {
  type Action,
  compileRequestSearch,
  defineResource,
  integer,
  joinConditions,
  link,
  type ReadableKey,
  type Resource,
  readAttributes,
  readBack,
  readDraft,
  text,
  timestamp,
  validate,
} from '../../../kernel/index.ts'
import { readNumber } from '../../../lib/values.ts'
import { readChoice } from '../../../records/choice.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { cancelRollout, createRollout } from '../requests.ts'
import { requesterSearch } from './requester-search.ts'
import { hostsOf, limitToRunnable, RUN_PERMISSION, refuseWhileOff } from './running.ts'

const DEFAULT_PARALLEL = 10

const create: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Run the configuration of all hosts that a search finds',
  permissions: [RUN_PERMISSION],
  body: z.object({
    config_rollout: z
      .object({
        search: z.string().meta({ description: 'Search that selects the hosts.' }),
        parallel: z
          .int()
          .min(1)
          .max(1000)
          .nullable()
          .optional()
          .meta({ description: 'Number of runs at once; 10.', default: DEFAULT_PARALLEL }),
        stop_after_failures: z
          .int()
          .min(1)
          .nullable()
          .optional()
          .meta({ description: 'Cancels the rest after this number of failed runs; null: never.' }),
      })
      .meta({ description: 'The rollout to create.' }),
  }),
  status: 201,
  handle: createForHosts,
}

const cancel: Action = {
  method: 'PUT',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel what is left of a rollout',
  permissions: [RUN_PERMISSION],
  record: { how: 'found' },
  handle: (ctx, resource, _input, { id }) =>
    inTransaction(ctx, async (tx) => {
      const cancelled = await cancelRollout(tx.db, id, ctx.user.login)
      const rollout = await readBack(tx, resource, id)
      if (!cancelled && rollout.status !== 'cancelled') {
        throw invalid({ base: [`the rollout has ended already: it ${rollout.status}`] }, id)
      }
      return { status: 200, body: rollout }
    }),
}

const COUNTED = ['queued', 'running', 'succeeded', 'failed', 'cancelled']
const KEYS = [
  'id',
  'search',
  'parallel',
  'stop_after_failures',
  'status',
  'message',
  'user_id',
  'requested_by',
  ...COUNTED,
  'joined',
  'skipped',
  'created_at',
  'updated_at',
  'finished_at',
]

/** Rollouts: configuration runs of many hosts, a few at a time. */
export const configRollouts = defineResource({
  name: 'config_rollout',
  permissions: { word: 'config_runs' },
  summary: 'Configuration runs of many hosts, a few of them at once.',
  fields: {
    search: text({ required: true, max: 65_535, search: 'explicit', doc: 'Search that selects the hosts.' }),
    parallel: integer({ required: true, min: 1, max: 1000, doc: 'Number of runs at once.' }),
    stop_after_failures: integer({ min: 1, doc: 'Cancels the rest after this number of failed runs; null: never.' }),
    status: text({
      readOnly: true,
      required: true,
      oneOf: ['running', 'finished', 'stopped', 'cancelled'],
      search: 'free',
      doc: 'running, finished, stopped (too many runs failed) or cancelled.',
    }),
    message: text({ readOnly: true, doc: 'Reason for its early end.' }),
    user: link('user', { readOnly: true, onDelete: 'clear', doc: 'User who requested it.' }),
    requested_by: text({ readOnly: true, doc: 'Login of that user at the time of the request.' }),
    joined: integer({
      readOnly: true,
      required: true,
      doc: 'Hosts that had a run already; the rollout joins these runs and does not count them elsewhere.',
    }),
    skipped: integer({ readOnly: true, required: true, doc: 'Hosts without a config proxy.' }),
    finished_at: timestamp({ readOnly: true, search: 'explicit', doc: 'Time when its last run ended.' }),
  },
  operations: ['list', 'show'],
  views: { list: KEYS, show: KEYS, order: 'id desc' },
  readable: Object.fromEntries(COUNTED.map((status) => [status, countRuns(status)])),
  search: [requesterSearch, { name: 'created_at', type: 'datetime', column: 'created_at', explicit: true }],
  // Search and progress of a rollout reveal something about hosts that others may not see.
  records: {
    where: (ctx, alias) => (ctx.user.admin ? sql`true` : sql`${sql.ref(`${alias}.user_id`)} = ${ctx.user.id}`),
  },
  audited: false,
  actions: [create, cancel],
})

function countRuns(status: string): ReadableKey {
  return {
    schema: () => z.int().meta({ description: `Number of its runs with the status ${status}.` }),
    sql: (alias) =>
      sql`(select count(*) from config_runs r where r.rollout_id = ${sql.ref(`${alias}.id`)} and r.status = ${sql.lit(status)})`,
  }
}

async function createForHosts(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  refuseWhileOff(ctx)
  const attributes = readAttributes(resource, input.body)
  const validated = await validate(ctx, resource, { ...attributes, parallel: attributes.parallel ?? DEFAULT_PARALLEL })
  return inTransaction(ctx, async (tx) => {
    const draft = await readDraft(tx, resource, validated, null)
    const search = String(draft.search)
    const hosts = [
      ...limitToRunnable(tx, resource.registry),
      ...(await readSearch(tx, hostsOf(resource.registry), search)),
    ]
    const made = await createRollout(
      tx.db,
      joinConditions(hosts),
      {
        search,
        parallel: Number(draft.parallel),
        stopAfterFailures: readNumber(draft, 'stop_after_failures') ?? null,
      },
      ctx.user,
    )
    if ('skipped' in made) {
      const nothing = made.skipped === 0 ? 'finds no host whose configuration you may run' : WITHOUT_PROXY
      throw invalid({ search: [nothing] })
    }
    return { status: 201, body: await readBack(tx, resource, made.id) }
  })
}

const WITHOUT_PROXY = 'finds only hosts without a config proxy'

/** Refuses a malformed search in a body with a message on its field. */
async function readSearch(ctx: Context, hosts: Resource, search: string) {
  try {
    return await compileRequestSearch(ctx, hosts, readChoice({ search, named: false, all: false }))
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_search') throw invalid({ search: [error.message] })
    throw error
  }
}
