import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import { findResource, joinConditions, limitToVisible, type Registry } from '../../../kernel/index.ts'
import { isValidText, parseExact } from '../../../lib/lossless-json.ts'
import { isMembers, membersOf } from '../../../lib/values.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { NOT_STORABLE } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { INVENTORY_TEMPLATE } from '../../../words/template-names.ts'
import { JOB } from '../report-template/generate.ts'
import { storeReportJob } from '../report-template/jobs.ts'
import { INVENTORY_INPUTS, selectInventoryRows } from './rows.ts'

const SCHEDULED = z.object({
  input_values: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({
      description: `What the rows have (${Object.keys(INVENTORY_INPUTS).join(', ')}: yes or no), and Hosts: a search for the hosts.`,
    }),
})

const INVENTORY = z
  .object({
    all: z
      .object({
        hosts: z.array(z.string()).meta({ description: 'Names of the hosts.' }),
        vars: z.record(z.string(), z.json()).meta({ description: 'Empty: variables are those of hosts.' }),
      })
      .meta({ description: 'The group of all of them.' }),
    _meta: z
      .object({
        hostvars: z
          .record(z.string(), z.looseObject({ millwright: z.json().meta({ description: 'Its own values.' }) }))
          .meta({ description: 'Variables by host: its parameters, and its own values under one name.' }),
      })
      .meta({ description: 'What playbooks read of each.' }),
  })
  .meta({ title: 'Inventory', description: 'Hosts with their variables, as playbooks read them.' })

/** Routes that describe hosts for playbooks (newer-clients §2g). */
export function inventoryRoutes(registry: Registry): Route[] {
  const common = {
    group: 'playbook_inventories',
    access: { kind: 'permission', anyOf: ['view_hosts'], own: false },
  } as const
  return [
    {
      ...common,
      method: 'POST',
      path: '/api/playbook_inventories/schedule',
      id: 'playbook_inventories.schedule',
      summary: 'Ask for an inventory of hosts, to fetch it as the report of a template',
      body: SCHEDULED,
      answers: { 200: JOB },
      refuses: 422,
      handle: (ctx, input) => scheduleInventory(ctx, registry, input),
    },
    ...(['hosts', 'hostgroups'] as const).flatMap((kind) =>
      (['GET', 'POST'] as const).map((method): Route => {
        const key = kind === 'hosts' ? 'host_ids' : 'hostgroup_ids'
        const ids = z.array(z.union([z.string(), z.int()])).optional()
        const schema = z.object({ [key]: ids.meta({ description: 'Ids of what the inventory is of.' }) })
        return {
          ...common,
          method,
          path: `/api/playbook_inventories/${kind}`,
          id: `playbook_inventories.${kind}${method === 'POST' ? '_by_body' : ''}`,
          summary: `Describe ${kind === 'hosts' ? 'hosts' : 'the hosts of host groups'} for playbooks`,
          ...(method === 'GET' ? { query: schema } : { body: schema }),
          answers: { 200: INVENTORY },
          handle: (ctx, input) => answerInventory(ctx, registry, input, key),
        }
      }),
    ),
  ]
}

async function scheduleInventory(ctx: Context, registry: Registry, { body }: Input): Promise<Answer> {
  const { input_values: inputs = {} } = body
  if (inputs !== null && !isMembers(inputs))
    throw invalid({ input_values: ['must be an object: yes or no by what the rows are to have'] })
  if (!isValidText(inputs)) throw invalid({ input_values: [NOT_STORABLE] })
  const name = ctx.settings.playbook_inventory_template
  const template = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from report_templates t where t.name = ${name}
      and (t.name = ${INVENTORY_TEMPLATE} or ${joinConditions(limitToVisible(ctx, findResource(registry, 'report_template'), 'generate_report_templates'))})`,
  )
  if (!template)
    throw invalid({
      base: [`There is no report template ${name}, which the setting playbook_inventory_template names`],
    })
  const wish = { format: 'json', inputs: membersOf(inputs), gzip: false } as const
  return { status: 200, body: await storeReportJob(ctx, template.id, wish, null) }
}

async function answerInventory(
  ctx: Context,
  registry: Registry,
  input: Input,
  key: 'host_ids' | 'hostgroup_ids',
): Promise<Answer> {
  const ids = readIds({ ...input.query, ...input.body }, key)
  const groups = findResource(registry, 'hostgroup')
  const within =
    key === 'host_ids'
      ? sql`t.id = any (${ids}::bigint[])`
      : sql`t.hostgroup_id in (select t.id from hostgroups t where t.id = any (${ids}::bigint[])
          and ${joinConditions(limitToVisible(ctx, groups, 'view_hostgroups'))})`
  const names: string[] = []
  const variables: Record<string, unknown> = {}
  const wish = {
    search: null,
    keys: new Set(
      Object.values(INVENTORY_INPUTS)
        .flat()
        .filter((name) => name !== 'facts'),
    ),
  }
  for await (const portion of selectInventoryRows(ctx, registry, wish, [
    { sql: within, tables: ['hosts', 'hostgroups'] },
  ]))
    for (const text of portion) {
      const { host_parameters: parameters, ...own } = membersOf(parseExact(text))
      names.push(String(own.name))
      variables[String(own.name)] = { ...membersOf(parameters), millwright: own }
    }
  return { status: 200, body: { all: { hosts: names, vars: {} }, _meta: { hostvars: variables } } }
}

/** Reads a list of ids. {@throws Failure} bad_parameter */
function readIds(sent: Readonly<Record<string, unknown>>, key: string): number[] {
  const given = [sent[key] ?? [], sent[`${key}[]`] ?? []]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : [Number.isSafeInteger(one) ? String(one) : '']))
  const wrong = given.find((one) => !/^\d{1,15}$/.test(one.trim()))
  if (given.length === 0 || wrong !== undefined) throw badParameter(key, wrong ?? null, 'must be a list of ids')
  return given.map(Number)
}
