import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Action,
  type Condition,
  defineResource,
  findParent,
  findResource,
  joinConditions,
  limitToVisible,
  link,
  list,
  type Resource,
  ROOT,
  type Row,
  text,
} from '../../../kernel/index.ts'
import { listQuery } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import type { SearchField } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

const HOST = { table: 'hosts', column: 'id', previous: 'host_id' } as const
const NAME = { table: 'fact_names', column: 'id', previous: 'fact_name_id' } as const

/** Facts of hosts, one row for each. Hosts upload them; lists show them by host. */
export const factValues = defineResource({
  name: 'fact_value',
  permissions: { further: ['upload_facts'], word: 'facts' },
  summary: 'A fact that a host has uploaded.',
  fields: {
    host: link('host', { required: true, readOnly: true, onDelete: 'cascade', doc: 'The host.' }),
    value: text({ readOnly: true, max: 65_535, search: 'free', doc: 'Its value; null for a fact that holds others.' }),
  },
  operations: [],
  views: {
    list: ['host_name', 'name', 'value'],
    show: ['host_name', 'name', 'value'],
    deleted: ['id'],
    order: 'host_id',
  },
  readable: {
    name: {
      schema: () => z.string().meta({ description: 'Its name, `::` between its parts.' }),
      sql: (alias) => sql`(select x.name from fact_names x where x.id = ${sql.ref(`${alias}.fact_name_id`)})`,
    },
  },
  search: [
    { name: 'fact', aliases: ['name'], type: 'text', column: 'name', through: [NAME] },
    {
      name: 'fact_short_name',
      aliases: ['short_name'],
      type: 'text',
      column: 'name',
      expression: (alias) => sql`regexp_replace(${sql.ref(`${alias}.name`)}, '^.*::', '')`,
      through: [NAME],
      explicit: true,
    },
    { name: 'host', type: 'text', column: 'name', through: [HOST], explicit: true },
    { name: 'host_id', type: 'integer', column: 'host_id', explicit: true },
    buildHostSearch('host.hostgroup', 'hostgroups', 'hostgroup_id'),
    buildHostSearch('location', 'locations', 'location_id'),
    { name: 'location_id', type: 'integer', column: 'location_id', through: [HOST], nullable: true, explicit: true },
    buildHostSearch('organization', 'organizations', 'organization_id'),
    {
      name: 'organization_id',
      type: 'integer',
      column: 'organization_id',
      through: [HOST],
      nullable: true,
      explicit: true,
    },
    // Which program sent a fact is not kept.
    ...['type', 'origin'].map(
      (name): SearchField => ({
        name,
        type: 'text',
        column: name,
        expression: () => sql`null::text`,
        nullable: true,
        explicit: true,
        noCompletion: true,
      }),
    ),
    {
      name: 'facts',
      type: 'text',
      column: 'value',
      through: [{ table: 'fact_values', column: 'id', previous: 'id' }],
      key: { column: 'name', through: [NAME] },
      nullable: true,
      explicit: true,
    },
    { name: 'reported_at', type: 'datetime', column: 'updated_at', explicit: true },
  ],
  audited: false,
  actions: [
    {
      method: 'GET',
      path: '',
      name: 'list',
      summary: 'List facts by host',
      permissions: ['view_facts'],
      query: listQuery,
      output: answerSchema(),
      handle: (ctx, resource, input) => listByHost(ctx, resource, input),
    },
  ],
})

/** `GET /api/hosts/:id/facts`, an action of hosts: lists the facts of one host. */
export const hostFacts: Action = {
  method: 'GET',
  path: '/:id/facts',
  name: 'facts_of_one',
  summary: 'List the facts of one host',
  permissions: ['view_facts'],
  query: listQuery,
  output: answerSchema(),
  handle: async (ctx, hosts, input) => {
    const id = await findParent(ctx, hosts, readIdSegment(input), 'view')
    const ofHost = { sql: sql`${sql.ref(`${ROOT}.host_id`)} = ${id}`, tables: [] }
    return listByHost(ctx, findResource(hosts.registry, 'fact_value'), input, [ofHost])
  },
}

/**
 * Answers a page of facts of visible hosts, as `{host: {fact: value}}`. The permission to view facts may be limited by
 * searches of hosts, so that its conditions apply to the hosts and not to the rows of facts.
 */
async function listByHost(
  ctx: Context,
  resource: Resource,
  input: Input,
  conditions: readonly Condition[] = [],
): Promise<Answer> {
  const hosts = findResource(resource.registry, 'host')
  const seen = [...limitToVisible(ctx, hosts, 'view_hosts'), ...limitToVisible(ctx, hosts, 'view_facts')]
  const ofSeen = {
    sql: sql`${sql.ref(`${ROOT}.host_id`)} in (select t.id from hosts t where ${joinConditions(seen)})`,
    tables: ['hosts', ...seen.flatMap((condition) => condition.tables)],
  }
  const all = seen.length === 0 ? conditions : [ofSeen, ...conditions]
  const answer = await list(withoutFactConditions(ctx), resource, input, all, { parents: 'unread' })
  const body = answer.body
  return { ...answer, body: { ...body, results: groupByHost(body.results) } }
}

/** Yields a context in which the permission to view facts is unlimited, for hosts that were already limited by it. */
function withoutFactConditions(ctx: Context): Context {
  const grants = new Map([...ctx.user.grants, ['view_facts', [{ search: null, organizations: null, locations: null }]]])
  return { ...ctx, user: { ...ctx.user, grants } }
}

function groupByHost(facts: readonly Row[]): Record<string, Record<string, unknown>> {
  const hosts = Map.groupBy(facts, ({ host_name }) => String(host_name))
  return Object.fromEntries([...hosts].map(([host, own]) => [host, mapByName(own)]))
}

function mapByName(facts: readonly Row[]): Record<string, unknown> {
  const entries = facts.map(({ name, value }): [string, unknown] => [String(name), value])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function buildHostSearch(name: string, table: string, previous: string): SearchField {
  const through = [HOST, { table, column: 'id', previous }]
  return { name, type: 'text', column: 'title', through, nullable: true, explicit: true }
}

function answerSchema(): z.ZodType {
  const values = z.record(z.string(), z.string().nullable())
  return z.object({
    total: z.int().meta({ description: 'Facts that the caller may see.' }),
    subtotal: z.int().meta({ description: 'Facts among `total` that the search finds.' }),
    page: z.int().meta({ description: 'Number of this page.', examples: [1] }),
    per_page: z.int().meta({ description: 'Facts on a full page.', examples: [20] }),
    search: z.string().nullable().meta({ description: 'The search, as sent.' }),
    can_create: z.boolean().optional().meta({ description: 'Always false; with include_permissions.' }),
    can_edit: z.boolean().optional().meta({ description: 'Always false; with include_permissions.' }),
    sort: z
      .object({
        by: z.string().nullable().meta({ description: 'The field named in `order`.' }),
        order: z.string().nullable().meta({ description: 'Its direction, ASC or DESC.' }),
      })
      .meta({ description: 'The order, as sent.' }),
    results: z.record(z.string(), values).meta({ description: 'Facts by name, by the name of their host.' }),
  })
}
