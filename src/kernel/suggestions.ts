import { z } from 'zod'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { contextQuery, textParameter } from '../requests/paging.ts'
import type { Access, Answer, Input, Route } from '../requests/route.ts'
import { readSingle } from '../requests/sent.ts'
import { buildValuesStatement, complete, SearchError } from '../search/index.ts'
import { limitToVisible, permissionOf } from './authorize.ts'
import { joinConditions, ROOT } from './condition.ts'
import type { Resource } from './definition.ts'
import { limitToVisibleParents } from './operations/within.ts'
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
    query,
    answers: { 200: suggestions },
    handle: (ctx, input) => suggest(ctx, resource, input),
  }
}

const query = z.object({ ...contextQuery, search: textParameter('Text typed so far.') })
const suggestion = z.object({
  completed: z.string().meta({ description: 'Text before the part that is being typed.' }),
  part: z.string().meta({ description: 'The part that is being typed, completed.' }),
  label: z.string().meta({ description: 'The whole search, completed.' }),
  category: z.string().meta({ description: '`Operators` for not, has, and, or; else blank.' }),
})

const failed = z.object({ error: z.string().meta({ description: 'Error in the search typed so far.' }) })
const suggestions = z.array(z.union([suggestion, failed]))

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
