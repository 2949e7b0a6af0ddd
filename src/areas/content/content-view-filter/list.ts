import { z } from 'zod'
import { badParameter } from '../../../errors.ts'
import { type Action, type Condition, list } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { buildFilterQuery, type Filters, readFilters } from '../shared/filtered.ts'
import { FILTER_TYPES } from './types.ts'

const FILTERS: Filters = {
  name: {
    doc: 'Only those with exactly this name.',
    where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
  },
}

/** Lists the filters of a view, or all that the caller may see. */
export const listFilters: Action = {
  method: 'GET',
  path: '',
  name: 'list',
  summary: 'List content view filters',
  permissions: [CONTENT_VIEW_PERMISSIONS.view_content_views],
  query: {
    ...buildFilterQuery(FILTERS),
    types: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: `Only those of these types: ${FILTER_TYPES.join(', ')}.` }),
  },
  outputs: 'list',
  handle: (ctx, filters, input) => list(ctx, filters, input, [...readFilters(FILTERS, input), ...limitToTypes(input)]),
}

/** Leaves the filters of the types in the query, a list or text with commas. {@throws Failure} bad_parameter for other types */
function limitToTypes({ query }: Input): Condition[] {
  const sent = [query.types ?? [], query['types[]'] ?? []].flat().flatMap((one) => String(one).split(','))
  const types = sent.map((one) => one.trim()).filter((one) => one !== '')
  const known: readonly string[] = FILTER_TYPES
  const wrong = types.find((one) => !known.includes(one))
  if (wrong !== undefined) throw badParameter('types', wrong, `must be of ${FILTER_TYPES.join(', ')}`)
  return types.length === 0 ? [] : [{ sql: sql`t.type = any (${types}::text[])`, tables: [] }]
}
