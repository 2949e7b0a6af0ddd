import { z } from 'zod'
import { isMembers, type Members } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { answerNarrowed } from './filtered-lists.ts'
import type { Handle } from './shapes.ts'

const PLACES = ['organizations', 'locations'] as const

/** Routes that list the organizations or locations of a record: `/api/domains/:domain_id/organizations`. */
export function placeRoutes(routes: readonly Route[]): Route[] {
  const taken = new Set(routes.map(({ path }) => pathOf(path)))
  return PLACES.flatMap((kind) => {
    const listing = routes.find(({ id }) => id === `${kind}.list`)
    if (!listing) return []
    const showing = routes.filter((route) => /^\/api\/\w+\/:id$/.test(route.path) && shows(route, kind))
    return showing
      .map((show) => ({ show, path: `${show.path}/${kind}` }))
      .filter(({ path }) => !taken.has(pathOf(path)))
      .map(
        ({ show, path }): Route => ({
          ...listing,
          path,
          id: `${show.group}.${kind}`,
          handle: createListHandler(show, listing, kind),
        }),
      )
  })
}

/** Yields the path with the parents' names that clients use. */
function pathOf(path: string): string {
  return path.replace(/:\w+/g, ':')
}

function shows({ id, method, answers }: Route, kind: string): boolean {
  const answer = answers[200]
  return method === 'GET' && id.endsWith('.show') && answer instanceof z.ZodObject && kind in answer.shape
}

function createListHandler(show: Route, listing: Route, kind: string): Handle {
  return async (ctx, input) => {
    const shown = await show.handle(ctx, { ...input, query: {} })
    const ids = idsOf(isMembers(shown.body) ? shown.body[kind] : [])
    const within = ids.length > 0 ? `id ^ (${ids.join(',')})` : 'id = 0'
    const { id: _record, ...params } = input.params
    return answerNarrowed(listing, ctx, { ...input, params }, within)
  }
}

function idsOf(records: unknown): number[] {
  return Array.isArray(records) ? records.map(({ id }: Members) => Number(id)) : []
}
