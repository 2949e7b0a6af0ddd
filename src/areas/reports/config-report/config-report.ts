import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import {
  type Action,
  defineResource,
  type Field,
  integer,
  joinConditions,
  limitToVisible,
  link,
  permissionOf,
  type Resource,
  resolveParents,
  show,
  text,
  timestamp,
} from '../../../kernel/index.ts'
import { json } from '../../../records/json.ts'
import { nestedList, nestedObject, ownObject } from '../../../records/nested.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { SearchError } from '../../../search/error.ts'
import type { FieldTest, Join, SearchField } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { COUNTERS } from '../counters.ts'
import { LEVELS } from './levels.ts'
import { uploadReport } from './upload.ts'

/** High, because every line of the logs, some dozens in a report, is searched. */
const COST = 1000

/** Search fields of reports by text of their logs: messages, or the resources these are about. */
const logSearch: readonly SearchField[] = [
  buildTextSearch('log', 'log_messages'),
  buildTextSearch('resource', 'log_sources'),
]

function buildTextSearch(name: string, column: string): SearchField {
  return {
    name,
    type: 'text',
    column: null,
    explicit: true,
    noCompletion: true,
    operators: ['= ', '~ '],
    tables: ['report_texts'],
    cost: COST,
    virtual: ({ operator, value, root }: FieldTest) => {
      if (operator !== 'eq' && operator !== 'like')
        throw new SearchError(`Operator of '${name}' must be = or ~: write ${name} ~ text`)
      const found = operator === 'eq' ? sql`x.value = ${value}` : sql`position(fold(${value}) in fold(x.value)) > 0`
      return sql`exists (select from report_texts x where x.id = any (${sql.ref(`${root}.${column}`)}) and ${found})`
    },
  }
}

/** Answers the newest report of a host, or of all hosts that the caller sees. */
const lastReport: Action = {
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

const KEYS = ['id', 'host_id', 'host_name', 'reported_at', 'status', 'origin', 'metrics', 'created_at', 'updated_at']

const counter = (doc: string): Field<number | null> =>
  integer({ min: 0, max: 2_147_483_647, search: 'explicit', required: true, doc })

const status = ownObject('Numbers of resources by result.', (own) =>
  Object.fromEntries(
    COUNTERS.map((name) => [name, [z.int().meta({ description: `How many: ${name}.` }), own(name)] as const]),
  ),
)

const logs = nestedList('The lines of its log, in order.', (own) => ({
  keys: {
    source: nestedObject('The part of the host.', {
      source: [z.string().meta({ description: 'Source of the message.' }), sql`s.value`],
    }),
    message: nestedObject('The text.', {
      message: [z.string().meta({ description: 'Text of the message.' }), sql`m.value`],
    }),
    level: [
      z.enum(LEVELS).meta({ description: 'Level of the message.' }),
      sql`(array[${sql.join(LEVELS.map((level) => sql.lit(level)))}])[l.level + 1]`,
    ],
  },
  from: sql`unnest(${own('log_levels')}, ${own('log_sources')}, ${own('log_messages')})
        with ordinality as l (level, source, message, place)
      join report_texts s on s.id = l.source join report_texts m on m.id = l.message`,
  order: sql`l.place`,
}))

/** Reports: the result of one run of the configuration engine on a host, as its agent sends it. */
export const configReports = defineResource({
  name: 'config_report',
  summary: 'A report: the result of a run of the configuration engine on a host.',
  fields: {
    host: link('host', { required: true, readOnly: true, onDelete: 'cascade', doc: 'The host.' }),
    origin: text({
      readOnly: true,
      search: 'explicit',
      doc: 'Name of the program that ran; null if the report does not say.',
    }),
    reported_at: timestamp({ nullable: false, doc: 'Time of the run.' }),
    applied: counter('Changes that were made.'),
    restarted: counter('Services that were restarted.'),
    failed: counter('Changes that failed.'),
    failed_restarts: counter('Services that failed to restart.'),
    skipped: counter('Number of skipped resources.'),
    pending: counter('Changes that were not to be made.'),
    metrics: json({ nullable: false, doc: 'Counts and seconds by kind, from the agent.' }),
  },
  operations: ['list', 'show', 'delete'],
  views: {
    list: KEYS,
    show: [...KEYS, 'logs', 'summary'],
    deleted: ['id', 'host_id', 'reported_at', 'created_at'],
    order: 'reported desc',
  },
  readable: {
    host_name: {
      schema: () => z.string().meta({ description: 'Name of the host.' }),
      sql: (alias) => sql`(select h.name from hosts h where h.id = ${sql.ref(`${alias}.host_id`)})`,
    },
    status,
    logs,
    summary: {
      schema: () => z.enum(['Failed', 'Modified', 'Success']).meta({ description: 'The same in a word.' }),
      sql: (alias) => sql`case when ${sumOf(alias, ['failed', 'failed_restarts'])} > 0 then 'Failed'
        when ${sumOf(alias, ['applied', 'restarted'])} > 0 then 'Modified' else 'Success' end`,
    },
  },
  search: [
    buildHostSearch('host', [], 'name', {}),
    { name: 'host_id', type: 'integer', column: 'host_id', explicit: true },
    buildHostSearch('hostgroup', [{ table: 'hostgroups', column: 'id', previous: 'hostgroup_id' }], 'name'),
    {
      ...buildHostSearch(
        'hostgroup_fullname',
        [{ table: 'hostgroups', column: 'id', previous: 'hostgroup_id' }],
        'title',
      ),
      aliases: ['hostgroup_title'],
    },
    buildHostSearch('environment', [{ table: 'environments', column: 'id', previous: 'environment_id' }], 'name'),
    buildHostSearch('organization', [{ table: 'organizations', column: 'id', previous: 'organization_id' }], 'title'),
    buildHostSearch('location', [{ table: 'locations', column: 'id', previous: 'location_id' }], 'title'),
    { name: 'reported', aliases: ['reported_at'], type: 'datetime', column: 'reported_at', explicit: true },
    { ...buildHostSearch('last_report', [], 'last_report'), type: 'datetime' },
    {
      name: 'eventful',
      type: 'boolean',
      column: 'eventful',
      expression: (alias) => sql`(${sumOf(alias, ['applied', 'restarted', 'failed', 'failed_restarts'])} > 0)`,
      explicit: true,
    },
    ...logSearch,
  ],
  routes: { parents: { host: 'host' } },
  visibility: { about: 'host' },
  audited: false,
  actions: [uploadReport, lastReport],
})

/** Selects the sum of counters, as bigint, because each may be as large as an integer. */
function sumOf(alias: string, counters: readonly string[]) {
  return sql`(${sql.join(
    counters.map((name) => sql`${sql.ref(`${alias}.${name}`)}::bigint`),
    sql` + `,
  )})`
}

function buildHostSearch(
  name: string,
  further: readonly Join[],
  column: string,
  facts: Partial<SearchField> = { explicit: true, nullable: true },
): SearchField {
  const through = [{ table: 'hosts', column: 'id', previous: 'host_id' }, ...further]
  return { name, type: 'text', column, through, ...facts }
}
