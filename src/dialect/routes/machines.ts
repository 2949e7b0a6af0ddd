import { Failure, unknownReference } from '../../errors.ts'
import { membersOf, resultsOf } from '../../lib/values.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { joinSearches } from '../filtered-lists.ts'

/** The path on which clients look for the hosts that a smart proxy runs on, and set them. */
const PATH = '/api/smart_proxies/:smart_proxy_id/hosts'

/** Our routes on that path, which are left out: they list the hosts whose runs the proxy starts. */
export const OF_RUNS = ['list', 'show', 'create', 'update', 'delete'].map(
  (operation) => `smart_proxies.hosts.${operation}`,
)

/**
 * Builds the routes for the hosts that a smart proxy runs on: the list of hosts, narrowed, and our routes for one of them.
 */
export function machineRoutes(routes: readonly Route[]): Route[] {
  const [list, show, add, remove] = ['hosts.list', 'smart_proxies.show', ...OF_MACHINES].map((id) =>
    routes.find((route) => route.id === id),
  )
  if (!list || !show || !add || !remove) return []
  return [
    { ...list, path: PATH, handle: (ctx, input) => answerListed(list, show, ctx, input) },
    { ...add, path: `${PATH}/:id`, handle: (ctx, input) => add.handle(ctx, toOurInput(input)) },
    {
      ...remove,
      path: `${PATH}/:id`,
      answers: { 204: null },
      handle: async (ctx, input) => {
        await remove.handle(ctx, toOurInput(input))
        return { status: 204 }
      },
    },
  ]
}

const OF_MACHINES = ['smart_proxies.add_machine', 'smart_proxies.remove_machine']

function toOurInput(input: Input): Input {
  const { smart_proxy_id = '', id = '' } = input.params
  return { ...input, params: { id: smart_proxy_id, host_id: id } }
}

/** {@throws Failure} unknown_reference for a smart proxy that is not there: 422, as those servers answer */
async function answerListed(
  list: Route,
  show: Route,
  ctx: Parameters<Route['handle']>[0],
  input: Input,
): Promise<Answer> {
  const { smart_proxy_id: segment = '', ...params } = input.params
  const proxy = await show.handle(ctx, { params: { id: segment }, query: {}, body: {} }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    throw unknownReference(`Couldn't find SmartProxy with 'id'=${segment}`)
  })
  const { id } = membersOf(proxy.body)
  const on = `runs_smart_proxy_id = ${id}`
  const { search = null } = input.query
  const narrowed = joinSearches(search, on)
  const ask = (query: Input['query']) => list.handle(ctx, { ...input, params, query: { ...input.query, ...query } })
  const { body, ...answer } = await ask({ search: narrowed })
  const page = membersOf(body)
  const everything = narrowed === on ? page : membersOf((await ask({ search: on, page: 1, per_page: 1 })).body)
  // It is not known which host the service itself runs on.
  const results = resultsOf(page).map((host) => ({
    ...host,
    infrastructure_facet: { foreman_instance: null, smart_proxy_id: id },
  }))
  return { ...answer, body: { ...page, total: everything.subtotal, search, results } }
}
