import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import type { Access, Answer, Input, Route } from '../requests/route.ts'
import { readSingle } from '../requests/sent.ts'
import { suggestionAnswer, suggestionQuery } from '../requests/suggestions.ts'
import { buildValuesStatement, complete, SearchError } from '../search/index.ts'
import { limitToVisible, permissionOf } from './authorize.ts'
import { joinConditions, ROOT } from './condition.ts'
import type { Resource } from './definition.ts'
import { limitToVisibleParents } from './operations/find.ts'
import { readSearch } from './searching.ts'
import { searchOptionsOf } from './stored-search.ts'

/** Creates the route that completes a search of a resource (core-api §8.8); a malformed search is answered with its error. */
export function createSuggestionRoute(resource: Resource, access: Access): Route {
  return {
    method: 'GET',
    path: `${resource.path}/auto_complete_search`,
    id: `${resource.plural}.auto_complete_search`,
    group: resource.plural,
    summary: `Suggest how a search of ${resource.plural.replaceAll('_', ' ')} could go on`,
    access,
    query: suggestionQuery,
    answers: { 200: suggestionAnswer },
    handle: (ctx, input) => suggest(ctx, resource, input),
  }
}

async function suggest(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const conditions = [
    ...limitToVisible(ctx, resource, permissionOf(resource, 'view')),
    ...limitToVisibleParents(ctx, resource),
  ]
  const schema = readSearch(ctx, resource)
  try {
    const found = await complete(schema, readSingle(input.query, 'search') ?? '', {
      ...searchOptionsOf(ctx),
      values: async (wanted) => {
        const statement = buildValuesStatement(schema, wanted, ROOT, joinConditions(conditions))
        return (await rows<{ value: string }>(ctx.db, statement)).map(({ value }) => value)
      },
    })
    return { status: 200, body: found }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return { status: 200, body: [{ error: error.message }] }
  }
}
