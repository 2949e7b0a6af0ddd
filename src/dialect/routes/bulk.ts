import { z } from 'zod'
import { storeFinishedTask } from '../../areas/tasks/index.ts'
import { type Context, inTransaction } from '../../context.ts'
import { badParameter } from '../../errors.ts'
import { refuseBadSearch } from '../../kernel/index.ts'
import { idOf, isMembers, type Members, resultsOf } from '../../lib/values.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { toBoolean } from '../../requests/sent.ts'
import { parseSearch, printSearch } from '../../search/index.ts'
import { NOTHING } from '../filtered-lists.ts'
import { translateSearch } from '../searches.ts'
import { BULK_TASK } from '../table.ts'
import { lendView } from './power.ts'

/** An action of clients on many hosts at once: a route of this service for each of them, all in one transaction. */
interface BulkAction {
  readonly name: string
  readonly summary: string
  /** The id of the route for one host, and how to build its input. */
  readonly route: string
  readonly body: Readonly<Record<string, z.ZodType>>
  readonly sent: (body: Members) => Members
  /** Keys of the body that say what to do, of which one is required; absent where the action itself says it. */
  readonly needs?: readonly string[]
  /** The message for this many hosts; absent where the answer is a task. */
  readonly said?: (count: number, body: Members) => string
}

const list = (description: string) => z.array(z.json()).optional().meta({ description })
const word = (description: string) => z.json().optional().meta({ description })
const formatHostCount = (count: number) => (count === 1 ? '1 host' : `${count} hosts`)
const pools = { subscriptions: list('Pools, each with its id and a quantity.') }
const pickNamed =
  (...keys: readonly string[]) =>
  (body: Members) =>
    Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])))
const PURPOSE = ['service_level', 'purpose_role', 'purpose_usage', 'purpose_addons']
const buildFacet = (kind: string, members: Members) => ({ host: { [`${kind}_facet_attributes`]: members } })

const ACTIONS: readonly BulkAction[] = [
  {
    name: 'build',
    summary: 'Let hosts wait for their installation',
    route: 'hosts.update',
    body: { reboot: word('Not done: hosts are not reached.'), rebuild_configuration: word('Only what servers keep.') },
    sent: () => ({ host: { build: true } }),
    said: (count) => `Built ${formatHostCount(count)}`,
  },
  ...['reassign_hostgroup', 'reassign_hostgroups'].map((name) => ({
    name,
    summary: 'Put hosts into a group, or into none',
    route: 'hosts.update',
    body: { hostgroup_id: word('The group; without one they are in none.') },
    sent: ({ hostgroup_id: id }: Members) => ({ host: { hostgroup_id: id === undefined || id === '' ? null : id } }),
    said: (count: number, { hostgroup_id: id }: Members) =>
      id === undefined || id === null || id === ''
        ? `Removed assignment of host group from ${formatHostCount(count)}`
        : `Reassigned ${formatHostCount(count)} to a hostgroup`,
  })),
  {
    name: 'environment_content_view',
    summary: 'Give hosts the content of a view in an environment',
    route: 'hosts.update',
    body: { environment_id: word('The environment.'), content_view_id: word('The content view.') },
    needs: ['environment_id', 'content_view_id'],
    sent: ({ environment_id: environment, content_view_id: view }) =>
      buildFacet('content', {
        ...(environment !== undefined && { lifecycle_environment_id: environment }),
        ...(view !== undefined && { content_view_id: view }),
      }),
  },
  {
    name: 'assign_content_view_environments',
    summary: 'Give hosts the content of views in environments',
    route: 'hosts.update',
    body: {
      content_view_environments: list('Labels of views in environments.'),
      content_view_environment_ids: list('Ids of views in environments.'),
    },
    needs: ['content_view_environments', 'content_view_environment_ids'],
    sent: (body) => buildFacet('content', pickNamed('content_view_environments', 'content_view_environment_ids')(body)),
  },
  {
    name: 'manage_notifications',
    summary: 'Say whether hosts are reported of',
    route: 'hosts.update',
    body: { enabled: word('Whether they are.') },
    needs: ['enabled'],
    sent: (body) => ({ host: pickNamed('enabled')(body) }),
    said: (count, { enabled }) =>
      `${toBoolean(enabled) === true ? 'Enabled' : 'Disabled'} notifications of ${formatHostCount(count)}`,
  },
  {
    name: 'release_version',
    summary: 'Hold hosts at a release',
    route: 'hosts.update',
    body: { release_version: word('The release.') },
    needs: ['release_version'],
    sent: (body) => buildFacet('subscription', pickNamed('release_version')(body)),
  },
  {
    name: 'system_purpose',
    summary: 'Set the system purpose of hosts',
    route: 'hosts.update',
    body: {
      service_level: word('Service level.'),
      purpose_role: word('Their role.'),
      purpose_usage: word('Usage, e.g. Production.'),
      purpose_addons: list('Their add-ons.'),
    },
    needs: PURPOSE,
    sent: (body) => buildFacet('subscription', pickNamed(...PURPOSE)(body)),
  },
  {
    name: 'content_overrides',
    summary: 'Override properties of contents for hosts',
    route: 'hosts.content_override',
    body: {
      content_overrides: list('Overrides by the labels of contents.'),
      content_overrides_search: word('Overrides by a search of contents.'),
    },
    needs: ['content_overrides', 'content_overrides_search'],
    sent: pickNamed('content_overrides', 'content_overrides_search'),
  },
  {
    name: 'add_subscriptions',
    summary: 'Give hosts uses of subscriptions',
    route: 'hosts.add_subscriptions',
    body: pools,
    needs: ['subscriptions'],
    sent: pickNamed('subscriptions'),
  },
  {
    name: 'remove_subscriptions',
    summary: 'Take subscriptions away from hosts',
    route: 'hosts.remove_subscriptions',
    body: pools,
    needs: ['subscriptions'],
    sent: pickNamed('subscriptions'),
  },
  {
    name: 'auto_attach',
    summary: 'Give hosts subscriptions for what they have installed',
    route: 'hosts.auto_attach',
    body: {},
    sent: () => ({}),
  },
  { name: 'destroy', summary: 'Delete hosts', route: 'hosts.delete', body: {}, sent: () => ({}) },
]

/**
 * Routes for actions on many hosts, given by a search or by ids: each host is changed as if it were alone, all of them or
 * none.
 */
export function bulkRoutes(routes: readonly Route[]): Route[] {
  const find = (id: string) => routes.find((route) => route.id === id)
  const [listed, task] = [find('hosts.list'), find('tasks.show')]
  if (!listed || !task) return []
  return ACTIONS.flatMap((action): Route[] => {
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
    // Each call gets its own copy of the body, because handlers may change it.
    for (const id of ids)
      await one.handle(tx, { ...input, params: { id: String(id) }, query: {}, body: structuredClone(body) })
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
