import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import { type Action, list, type Resource, referenceNotFound } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { buildFilterQuery, type Filters, readFilters } from '../shared/filtered.ts'
import { requireVisible } from '../shared/visible-link.ts'

const FILTERS: Filters = {
  name: {
    doc: 'Only the one with exactly this name.',
    where: (value, alias) => sql`${sql.ref(`${alias}.name`)} = ${value}`,
  },
  content_view_id: {
    doc: 'Only those with this content view.',
    where: (
      value,
      alias,
    ) => sql`(${sql.ref(`${alias}.content_view_id`)} = ${value}::bigint or ${sql.ref(`${alias}.id`)} in (
      select f.activation_key_id from activation_key_environments f where f.content_view_id = ${value}::bigint))`,
    tables: ['activation_key_environments'],
  },
}

/** Lists the keys of an organization or environment (spec 4.6, content-api §2.2). */
export const listKeys: Action = {
  method: 'GET',
  path: '',
  name: 'list',
  summary: 'List activation keys',
  permissions: ['view_activation_keys'],
  query: {
    ...buildFilterQuery(FILTERS),
    show_hosts: z.string().optional().meta({ description: 'True: with the hosts that are registered with each.' }),
  },
  outputs: 'list',
  handle: listIn,
}

async function listIn(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { params, query } = input
  const readSent = (key: string) => params[key] ?? readSingle(query, key)
  const isSomewhere = ['organization_id', 'environment_id'].some((key) => readSent(key) !== null)
  if (!isSomewhere && ctx.scope.organization === null)
    throw new Failure('bad_parameter', 'Either organization ID or environment ID needs to be specified')
  await requireView(ctx, resource, readSingle(query, 'content_view_id'))
  const environment = resource.registry.get('lifecycle_environment')
  if (environment && readSent('environment_id') === '') throw referenceNotFound(environment, '')
  return list(ctx, resource, input, readFilters(FILTERS, input))
}

/** Refuses a content view that the caller may not see, and text that is no id. {@throws Failure} not_found */
async function requireView(ctx: Context, { registry }: Resource, id: string | null): Promise<void> {
  const view = registry.get('content_view')
  if (id === null || !view) return
  if (!/^\d{1,15}$/.test(id)) throw referenceNotFound(view, id)
  await requireVisible(ctx, view, [Number(id)])
}
