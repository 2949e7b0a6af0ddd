import { z } from 'zod'
import { storeFinishedTask } from '../../areas/tasks/index.ts'
import { type Context, inTransaction } from '../../context.ts'
import { badParameter } from '../../errors.ts'
import { refuseBadSearch } from '../../kernel/index.ts'
import { idOf, isMembers, type Members, resultsOf } from '../../lib/values.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { parseSearch, printSearch } from '../../search/index.ts'
import { NOTHING } from '../filtered-lists.ts'
import { translateSearch } from '../searches.ts'
import { BULK_TASK } from '../table.ts'
import { BULK_ACTIONS, type BulkAction, formatHostCount, list } from './bulk-actions.ts'
import { lendView } from './power.ts'

/**
 * Routes for actions on many hosts, given by a search or by ids: each host is changed as if it were alone, all of them or
 * none.
 */
export function bulkRoutes(routes: readonly Route[]): Route[] {
  const find = (id: string) => routes.find((route) => route.id === id)
  const [listed, task] = [find('hosts.list'), find('tasks.show')]
  if (!listed || !task) return []
  return BULK_ACTIONS.flatMap((action): Route[] => {
    const one = find(action.route)
    if (!one) return []
    return [
      {
        method: 'PUT',
        path: `/api/hosts/bulk/${action.name}`,
        id: `hosts_bulk_actions.${action.name === 'destroy' ? 'destroy_hosts' : action.name}`,
        group: 'hosts_bulk_actions',
        summary: action.summary,
        access: one.access,
        body: z.object({ ...CHOICE, ...action.body }),
        answers: action.said ? { 200: z.json() } : { 202: task.answers[200] ?? null },
        handle: (ctx, input) => change(ctx, input, action, { listed, one, task }),
      },
    ]
  }).concat(collectionRoutes(routes, listed))
}

const IDS = z.array(z.json()).optional().meta({ description: 'Ids of hosts.' })
const CHOICE = {
  organization_id: z.json().optional().meta({ description: 'The organization of the hosts.' }),
  included: z
    .object({ search: z.string().optional().meta({ description: 'Search that selects the hosts.' }), ids: IDS })
    .optional()
    .meta({ description: 'The hosts.' }),
  excluded: z.object({ ids: IDS }).optional().meta({ description: 'Hosts that stay as they are.' }),
}

interface Needed {
  readonly listed: Route
  readonly one: Route
  readonly task: Route
}

async function change(ctx: Context, input: Input, action: BulkAction, { listed, one, task }: Needed): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    refuseUndone(input.body)
    requireChange(action, input.body)
    const ids = await listChosen(withViewOfHosts(tx, one), listed, input)
    const body = action.sent(input.body)
    const at = action.leaves ? { ...tx, scope: { ...tx.scope, [action.leaves]: null } } : tx
    // Each call gets its own copy of the body, because handlers may change it.
    for (const id of ids)
      await one.handle(at, { ...input, params: { id: String(id) }, query: {}, body: structuredClone(body) })
    if (action.said) return { status: 200, body: { message: action.said(ids.length, input.body) } }
    const { uuid } = await storeFinishedTask(tx, {
      kind: BULK_TASK,
      action: action.summary,
      input: { hosts: { count: ids.length } },
      organization: tx.scope.organization,
    })
    return { ...(await task.handle(tx, { ...NOTHING, params: { id: uuid } })), status: 202 }
  })
}

/** Refuses keys of the body that this service does not support. {@throws Failure} bad_parameter */
function refuseUndone(body: Members): void {
  for (const key of ['reboot', 'rebuild_configuration']) {
    const sent = body[key] ?? false
    if (sent !== false && sent !== 'false' && sent !== 0 && sent !== '0' && sent !== '')
      throw badParameter(key, sent, 'must be false: neither hosts nor their servers are reached from here')
  }
}

/** Refuses a body without a change: the caller has probably forgotten it. {@throws Failure} bad_parameter */
function requireChange({ needs = [] }: BulkAction, body: Members): void {
  const [key, ...others] = needs
  if (key === undefined || needs.some((each) => isSaid(body[each], each))) return
  const or = others.length === 0 ? '' : `, or ${others.join(', ')}`
  throw badParameter(key, body[key], `must say what to change${or}`)
}

/** Keys that count as missing while they are empty; other values may be blank to clear something. */
const FILLED = ['content_overrides', 'content_overrides_search', 'subscriptions']

function isSaid(value: unknown, key: string): boolean {
  if (!FILLED.includes(key)) return value !== undefined
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Yields a context that may view the hosts that the route may change: the permissions need not include viewing. */
function withViewOfHosts(ctx: Context, { access }: Route): Context {
  const [permission = ''] = access.kind === 'permission' ? access.anyOf : []
  return ctx.user.admin ? ctx : lendView(ctx, permission)
}

/** The maximum number of hosts, because all are changed in one transaction. */
const MOST_HOSTS = 10_000

/** Lists the ids of the chosen hosts. {@throws Failure} bad_parameter where nothing names hosts, which must not mean all */
async function listChosen(ctx: Context, listed: Route, { body }: Input): Promise<readonly number[]> {
  const included = membersOf(body.included, 'included')
  const ids = readIds(included.ids, 'included[ids]')
  const { search = '' } = included
  if (typeof search !== 'string') throw badParameter('included[search]', search, 'must be text')
  const ours = translateSearch('ours', search, 'hosts')
  const found = refuseBadSearch(() => printSearch(parseSearch(ours)))
  if (found === '' && ids.length === 0)
    throw badParameter('included', body.included, 'must name hosts by search or ids')
  const either = [found === '' ? null : `(${found})`, ids.length > 0 ? `id ^ (${ids.join(',')})` : null]
  const excluded = new Set(readIds(membersOf(body.excluded, 'excluded').ids, 'excluded[ids]'))
  // One more than the limit suffices to know that there are too many.
  const per_page = String(MOST_HOSTS + excluded.size + 1)
  const query = { search: either.filter((one) => one !== null).join(' or '), per_page, order: 'id' }
  const page = (await listed.handle(ctx, { ...NOTHING, query })).body
  const chosen = resultsOf(page)
    .map(idOf)
    .filter((id) => !excluded.has(id))
  if (chosen.length > MOST_HOSTS) throw badParameter('included', body.included, `must name at most ${MOST_HOSTS} hosts`)
  return chosen
}

function membersOf(sent: unknown, name: string): Members {
  if (sent === undefined || sent === null) return {}
  if (!isMembers(sent)) throw badParameter(name, sent, 'must be an object')
  return sent
}

function readIds(sent: unknown, name: string): number[] {
  if (sent === undefined || sent === null) return []
  const ids = [sent].flat()
  const isId = (id: unknown) => (typeof id === 'number' || typeof id === 'string') && /^[1-9]\d{0,14}$/.test(String(id))
  if (!ids.every(isId)) throw badParameter(name, sent, 'must be a list of ids of hosts')
  return ids.map(Number)
}

/** Routes by which host collections add and remove hosts. */
function collectionRoutes(routes: readonly Route[], listed: Route): Route[] {
  return (['add', 'remove'] as const).flatMap((what): Route[] => {
    const one = routes.find(({ id }) => id === `host_collections.${what}_hosts`)
    if (!one) return []
    const name = `bulk_${what}_host_collections`
    return [
      {
        method: 'PUT',
        path: `/api/hosts/bulk/${what}_host_collections`,
        id: `hosts_bulk_actions.${name}`,
        group: 'hosts_bulk_actions',
        summary: what === 'add' ? 'Put hosts into host collections' : 'Take hosts out of host collections',
        access: one.access,
        body: z.object({ ...CHOICE, host_collection_ids: list('Ids of the collections.') }),
        answers: { 200: z.json() },
        handle: (ctx, input) =>
          inTransaction(ctx, async (tx) => {
            const ids = await listChosen(tx, listed, input)
            const collections = readIds(input.body.host_collection_ids, 'host_collection_ids')
            if (collections.length === 0)
              throw badParameter('host_collection_ids', input.body.host_collection_ids, 'must name a host collection')
            const success: string[] = []
            for (const id of collections) {
              await one.handle(tx, { ...input, params: { id: String(id) }, query: {}, body: { host_ids: [...ids] } })
              success.push(`Successfully ${what === 'add' ? 'added' : 'removed'} ${formatHostCount(ids.length)}.`)
            }
            return { status: 200, body: { displayMessages: { success, error: [] } } }
          }),
      },
    ]
  })
}
