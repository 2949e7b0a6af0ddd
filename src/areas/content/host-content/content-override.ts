import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { badParameter, Failure, invalid } from '../../../errors.ts'
import { limitToVisible } from '../../../kernel/authorize.ts'
import { joinConditions } from '../../../kernel/condition.ts'
import type { Action, Input, Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { toBoolean } from '../../../kernel/fields/values.ts'
import { readAttributes } from '../../../kernel/input.ts'
import type { Sent, Stored } from '../../../kernel/record.ts'
import { refuseBadSearch } from '../../../kernel/searching.ts'
import { searchOptionsOf } from '../../../kernel/stored-search.ts'
import { readChoice } from '../../../records/choice.ts'
import { compileSearch } from '../../../search/index.ts'
import { contentEnvelope } from '../shared/content-rows.ts'
import { contentSearch } from '../shared/content-search.ts'
import {
  type Override,
  type OverrideChange,
  overrideList,
  overridesBody,
  readOverrideChanges,
  storeOverrides,
  withChanges,
} from '../shared/overrides.ts'
import { recordHostChange } from './content-host.ts'
import { listContentsOfHost } from './product-content.ts'

const TABLE = 'host_content_overrides'
const OWN = 'host_id'

const SEARCH = z.object({
  search: z.string().optional().meta({ description: 'Contents to override.' }),
  all: z.boolean().optional().meta({ description: 'True: all of them. Without it a search is needed.' }),
  enabled: z.boolean().optional().meta({ description: 'Whether they are to be enabled.' }),
  remove: z.boolean().optional().meta({ description: 'True: they are to be as by default.' }),
})

/**
 * `PUT /api/hosts/:id/subscriptions/content_override` (content-api §4.1): sets overrides by label, or enables or
 * disables all contents that a search finds. Answers all contents of the host.
 */
export const hostContentOverride: Action = {
  method: 'PUT',
  path: '/:id/subscriptions/content_override',
  name: 'content_override',
  summary: 'Override properties of contents for a host',
  permissions: ['edit_hosts'],
  body: z.object({
    content_overrides: overridesBody.optional(),
    content_overrides_search: SEARCH.optional().meta({ description: 'Overrides by a search of contents.' }),
  }),
  output: contentEnvelope,
  record: { how: 'locked' },
  handle: changeOverrides,
}

async function changeOverrides(tx: Context, resource: Resource, input: Input, host: Stored): Promise<Answer> {
  const sent = { ...readAttributes(resource, input.body), ...input.body }
  const { id, name, organization_id: organization } = host
  if (typeof organization !== 'number') throw invalid({ organization_id: ["can't be blank"] }, id)
  const changes = await withParameterName(() => readChanges(tx, resource, organization, sent))
  const before = await overridesOf(tx, id)
  const after = withChanges(before, changes)
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await storeOverrides(tx, TABLE, OWN, id, sql`${organization}::bigint`, after)
    await recordHostChange(tx, resource, { id, name: String(name) }, { content_overrides: [before, after] })
  }
  const everything = { content_access_mode_all: 'true', full_result: 'true' }
  return listContentsOfHost(tx, resource, { ...input, query: everything }, id)
}

async function readChanges(
  tx: Context,
  resource: Resource,
  organization: number,
  { content_overrides: items, content_overrides_search: search }: Sent,
): Promise<readonly OverrideChange[]> {
  // Clients send an empty object beside their list.
  if (search === undefined || search === null || isEmpty(search))
    return items === undefined || items === null ? [] : readOverrideChanges(tx, organization, items)
  const asked = SEARCH.safeParse(normalizeBooleans(search))
  if (!asked.success)
    throw badParameter('content_overrides_search', search, 'must be an object with search, and with enabled or remove')
  const { search: query = null, enabled, remove = false, all } = asked.data
  if (!remove && enabled === undefined)
    throw badParameter('content_overrides_search', search, 'must say enabled: true or false, or remove: true')
  const choice = readChoice({ search: query, named: false, all }, 'content_overrides_search')
  const labels = await loadLabels(tx, resource, organization, choice)
  const value = remove ? null : enabled ? '1' : '0'
  return labels.map((content_label) => ({ content_label, name: 'enabled', value }))
}

/** Booleans given as text become booleans (content-api §4.1). */
function normalizeBooleans(search: unknown): unknown {
  if (typeof search !== 'object' || search === null) return search
  return Object.fromEntries(
    Object.entries(search).map(([key, value]) => [key, key === 'search' ? value : (toBoolean(value) ?? undefined)]),
  )
}

/** Loads the labels of contents that match, of products that the caller may see. */
async function loadLabels(
  tx: Context,
  { registry }: Resource,
  organization: number,
  query: string | null,
): Promise<readonly string[]> {
  const found =
    refuseBadSearch(() => compileSearch(contentSearch, query ?? '', searchOptionsOf(tx))).condition ?? sql`true`
  const products = registry.get('product')
  const seen = products ? joinConditions(limitToVisible(tx, products, 'view_products')) : sql`false`
  const labels = await rows<{ label: string }>(
    tx.db,
    sql`select distinct c.label from product_contents t join contents c on c.id = t.content_id
      where c.organization_id = ${organization} and ${found}
        and t.product_id in (select t.id from products t where t.organization_id = ${organization} and ${seen}) order by 1`,
  )
  return labels.map(({ label }) => label)
}

async function overridesOf(tx: Context, host: number): Promise<readonly Override[]> {
  const found = await row<{ overrides: Override[] }>(
    tx.db,
    sql`select ${overrideList(TABLE, OWN, 'Its overrides.').sql('t')} as overrides from hosts t where t.id = ${host}`,
  )
  return found?.overrides ?? []
}

/** Adds the name of the parameter to refusals, which answers below `/api` have (core-api §2.5). */
async function withParameterName<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_parameter' || error.details.class) throw error
    const { details } = badParameter('content_overrides', null, '')
    throw new Failure('bad_parameter', error.message, details, { cause: error })
  }
}

function isEmpty(search: unknown): boolean {
  return typeof search === 'object' && search !== null && Object.keys(search).length === 0
}
