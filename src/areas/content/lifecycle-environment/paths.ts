import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import {
  type Action,
  applyShown,
  createPresenter,
  limitToVisible,
  type Resource,
  type Row,
  selectPage,
} from '../../../kernel/index.ts'
import { idOf, membersOf } from '../../../lib/values.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { buildNestedRecordSchema, NO_ORDER } from '../shared/nested-records.ts'
import { LIFECYCLE_ENVIRONMENT_PERMISSIONS } from './keys.ts'

const VIEW = LIFECYCLE_ENVIRONMENT_PERMISSIONS.view_lifecycle_environments
const PROMOTE = LIFECYCLE_ENVIRONMENT_PERMISSIONS.promote_or_remove_content_views_to_environments

const whole = (description: string) => z.int().meta({ description })

/** Lists the paths of an organization, each from the Library to its end (content-api §8.2). */
export const paths: Action = {
  method: 'GET',
  path: '/paths',
  name: 'paths',
  below: ['organization'],
  summary: 'List the chains of environments of an organization',
  permissions: [VIEW],
  query: {
    permission_type: z
      .string()
      .optional()
      .meta({ description: 'promotable: only chains with an environment that the caller may promote views to.' }),
  },
  output: z.object({
    total: whole('Number of paths.'),
    subtotal: whole('The same.'),
    selectable: whole('The same.'),
    page: z.null().meta({ description: 'Always null: all chains are on one page.' }),
    per_page: z.null().meta({ description: 'Always null.' }),
    error: z.null().meta({ description: 'Always null.' }),
    search: z.null().meta({ description: 'Always null.' }),
    sort: NO_ORDER.meta({ description: 'Always null.' }),
    results: z
      .array(
        z.object({
          environments: z
            .array(buildNestedRecordSchema('id', 'name').loose())
            .meta({ description: 'Environments with the keys of their list, from the Library on.' }),
        }),
      )
      .meta({ description: 'The chains.' }),
  }),
  handle: listPaths,
}

async function listPaths(ctx: Context, resource: Resource, { query }: Input): Promise<Answer> {
  const organization = ctx.scope.organization
  if (organization === null)
    throw new Failure('not_found', 'One of parameters [ organization_id ] required but not specified.')
  const type = readSingle(query, 'permission_type') ?? 'readable'
  if (type !== 'readable' && type !== 'promotable')
    throw badParameter('permission_type', type, 'must be readable or promotable')

  const shown = await environmentsOf(ctx, resource, organization)
  const chains = (await loadChains(ctx, organization))
    .map((chain) => chain.map((id) => shown.get(id)).filter((environment) => environment !== undefined))
    .filter((chain) => chain.length > 0 && (type === 'readable' || chain.some(isPromotable)))
  const counts = { total: chains.length, subtotal: chains.length, selectable: chains.length }
  const nothing = { page: null, per_page: null, error: null, search: null, sort: { by: null, order: null } }
  return { status: 200, body: { ...counts, ...nothing, results: chains.map((environments) => ({ environments })) } }
}

async function environmentsOf(ctx: Context, resource: Resource, organization: number): Promise<Map<number, Row>> {
  const view = resource.views.list
  const here = { sql: sql`t.organization_id = ${organization}`, tables: [] }
  const page = await selectPage(ctx.db, resource, {
    view,
    conditions: [...limitToVisible(ctx, resource, VIEW), here],
    order: { order: sql`t.id` },
    limit: null,
    offset: 0,
  })
  const records = await applyShown(ctx, resource, page.rows.map(createPresenter(resource, view, 'view')), {})
  return new Map(records.map((record) => [idOf(record), record]))
}

/**
 * Selects the ids of each path in order, in one statement. Without other environments there is one path, the Library.
 */
async function loadChains(ctx: Context, organization: number): Promise<number[][]> {
  const found = await rows<{ chain: number[] }>(
    ctx.db,
    sql`
      with recursive chains as (
        select id, array[id] as chain from lifecycle_environments where organization_id = ${organization} and library
        union all
        select e.id, c.chain || e.id from chains c join lifecycle_environments e on e.prior_id = c.id
      )
      select chain from chains c
      where not exists (select from lifecycle_environments e where e.prior_id = c.id) order by chain`,
  )
  return found.map(({ chain }) => chain)
}

function isPromotable({ permissions }: Row): boolean {
  return membersOf(permissions)[PROMOTE] === true
}
