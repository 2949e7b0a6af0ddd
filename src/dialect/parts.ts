import { z } from 'zod'
import { type Members, membersOf, readObjects } from '../lib/values.ts'
import type { Input, Route } from '../requests/route.ts'
import { answerNarrowed, NOTHING, presentWhole } from './filtered-lists.ts'

/** Lists that clients look for below a record: lists of this service, narrowed by a search. */
const BELOW: readonly {
  readonly list: string
  readonly path: string
  readonly parent: string
  /** The search that finds them, in our words, for the record above. */
  readonly within: (parent: Members) => string
}[] = [
  {
    list: 'audits.list',
    path: '/api/hosts/:host_id/audits',
    parent: 'hosts.show',
    within: ({ id }) => `type = host and auditable_id = ${id}`,
  },
  {
    list: 'filters.list',
    path: '/api/organizations/:organization_id/filters',
    parent: 'organizations.show',
    within: ({ id }) => `organization_id = ${id}`,
  },
  {
    list: 'filters.list',
    path: '/api/locations/:location_id/filters',
    parent: 'locations.show',
    within: ({ id }) => `location_id = ${id}`,
  },
  {
    list: 'hostgroups.list',
    path: '/api/configclasses/:configclass_id/hostgroups',
    parent: 'configclasses.show',
    within: ({ name }) => `class = ${JSON.stringify(name)}`,
  },
]

/** Routes for lists of what belongs to a record, on a path below that record. */
export function partRoutes(routes: readonly Route[]): Route[] {
  const findRoute = (id: string) => routes.find((route) => route.id === id)
  const lists = BELOW.flatMap(({ list: listed, path, parent, within }): Route[] => {
    const [list, show] = [findRoute(listed), findRoute(parent)]
    if (!list || !show) return []
    return [
      {
        ...list,
        path,
        handle: async (ctx, input) => {
          const { params, rest } = split(input)
          const { body } = await show.handle(ctx, { ...NOTHING, params })
          return answerNarrowed(list, ctx, { ...input, params: {}, query: rest }, within(membersOf(body)))
        },
      },
    ]
  })
  const show = findRoute('hosts.show')
  return show ? [...lists, inheritedParameters(show)] : lists
}

/**
 * Takes the record's segment out of the path parameters; as an organization or location it must not narrow the list itself.
 */
function split({ params, query }: Input) {
  const [[key, id] = ['', '']] = Object.entries(params)
  const { [key]: _parent, ...rest } = query
  return { params: { id }, rest }
}

/** Builds the route for the parameters that a host inherits from its group, organization, location and so on. */
function inheritedParameters(show: Route): Route {
  return {
    method: 'GET',
    path: '/api/hosts/:id/inherited_parameters',
    id: 'hosts.inherited_parameters',
    group: 'hosts',
    summary: 'List the parameters that a host inherits',
    access: show.access,
    answers: { 200: z.json() },
    handle: async (ctx, { params, query }) => {
      const { body } = await show.handle(ctx, { params, query, body: {} })
      const all = readObjects(membersOf(body), 'all_parameters') ?? []
      return { status: 200, body: presentWhole(all.filter((each) => each.associated_type !== 'host')) }
    },
  }
}
