import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import {
  type Action,
  type Condition,
  findResource,
  limitToVisible,
  list,
  permissionOf,
  type Registry,
  referenceNotFound,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { type Filters, filteredList, readFilters, readTruth } from '../shared/filtered.ts'
import { CONTENT_VIEW_PERMISSIONS } from './readable.ts'

const is = (column: string, wanted: boolean) => (value: string, alias: string) => {
  const own = sql.ref(`${alias}.${column}`)
  if (!readTruth(column, value)) return undefined
  return wanted ? own : sql`not ${own}`
}

const FILTERS: Filters = {
  name: {
    doc: 'Only the one with exactly this name.',
    where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
  },
  label: {
    doc: 'Only the one with exactly this label.',
    where: (value, alias) => sql`${sql.ref(`${alias}.label`)} = ${value}`,
  },
  nondefault: { doc: 'True: all but the default one.', where: is('default', false) },
  noncomposite: { doc: 'True: all but composite ones.', where: is('composite', false) },
  composite: { doc: 'True: only composite ones.', where: is('composite', true) },
}

const plain = filteredList('content views', CONTENT_VIEW_PERMISSIONS.view_content_views, FILTERS)

/** The list of views, with its filter parameters (content-api §8.3). */
export const filteredViews: Action = {
  ...plain,
  query: {
    ...plain.query,
    environment_id: z.string().optional().meta({ description: 'Only those that have a version in this environment.' }),
    without: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Ids of views to leave out.' }),
  },
  handle: async (ctx, resource, input) =>
    list(ctx, resource, input, [
      ...readFilters(FILTERS, input),
      ...(await limitToRequestedEnvironment(ctx, resource.registry, input, (alias, environment) => {
        return sql`${sql.ref(`${alias}.id`)} in (select p.content_view_id from content_view_environments p where p.environment_id = ${environment})`
      })),
      ...limitToOthers(input),
    ]),
}

/**
 * Leaves the views of the requested environment. {@throws Failure} not_found for one that the caller may not view
 * (content-api §2.2)
 */
export async function limitToRequestedEnvironment(
  ctx: Context,
  registry: Registry,
  { query }: Input,
  within: (alias: string, environment: number) => Sql,
): Promise<Condition[]> {
  const segment = readSingle(query, 'environment_id')
  if (segment === null || segment === '') return []
  const environments = findResource(registry, 'lifecycle_environment')
  const seen = limitToVisible(ctx, environments, permissionOf(environments, 'view'))
  const found = await selectRecord(ctx.db, environments, ['id'], segment, seen)
  if (!found) throw referenceNotFound(environments, segment)
  return [{ sql: within('t', Number(found.id)), tables: ['content_view_environments'] }]
}

function limitToOthers({ query }: Input): Condition[] {
  const sent = [query.without ?? [], query['without[]'] ?? []].flat().flatMap((one) => String(one).split(','))
  const ids = sent.filter((one) => one !== '')
  const wrong = ids.find((one) => !/^\d{1,15}$/.test(one))
  if (wrong !== undefined) throw badParameter('without', wrong, 'must be ids of content views')
  return ids.length === 0 ? [] : [{ sql: sql`not t.id = any (${ids.map(Number)}::bigint[])`, tables: [] }]
}
