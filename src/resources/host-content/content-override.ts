import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { badParameter, Failure, invalid } from '../../errors.ts'
import { visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import { toBoolean } from '../../kernel/fields/values.ts'
import { attributesOf } from '../../kernel/input.ts'
import type { Action, Resource, Sent } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { refusingBadSearch, searchOptions } from '../../kernel/searching.ts'
import { compileSearch } from '../../search/index.ts'
import { contentEnvelope } from '../content/content-rows.ts'
import { contentSearch } from '../content/content-search.ts'
import { foundRecord } from '../content/found.ts'
import {
  type Override,
  type OverrideChange,
  overridesBody,
  overridesSql,
  readOverrides,
  storeOverrides,
  withChanges,
} from '../content/overrides.ts'
import { noteChange } from './changed.ts'
import { contentOfHost } from './product-content.ts'

const TABLE = 'host_content_overrides'
const OWN = 'host_id'

const SEARCH = z.object({
  search: z.string().optional().meta({ description: 'Which contents; all of them without.' }),
  enabled: z.boolean().optional().meta({ description: 'Whether they are to be enabled.' }),
  remove: z.boolean().optional().meta({ description: 'True: they are to be as by default.' }),
})

/**
 * `PUT /api/hosts/:id/subscriptions/content_override` (content-api §4.1): overrides by label, or whether all contents that
 * a search finds are enabled. Answers with all contents of the host.
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
  handle: override,
}

async function override(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const sent = { ...attributesOf(resource, input.body), ...input.body }
  return inTransaction(ctx, async (tx) => {
    const { id, name, organization_id: organization } = await foundRecord(tx, resource, input, 'edit_hosts')
    if (typeof organization !== 'number') throw invalid({ organization_id: ["can't be blank"] }, id)
    const changes = await naming(() => changesIn(tx, resource, organization, sent))
    const before = await overridesOf(tx, id)
    const after = withChanges(before, changes)
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      await storeOverrides(tx, TABLE, OWN, id, sql`${organization}::bigint`, after)
      await noteChange(tx, resource, { id, name: String(name) }, { content_overrides: [before, after] })
    }
    const everything = { content_access_mode_all: 'true', full_result: 'true' }
    return contentOfHost(tx, resource, { ...input, query: everything }, id)
  })
}

async function changesIn(
  tx: Context,
  resource: Resource,
  organization: number,
  { content_overrides: items, content_overrides_search: search }: Sent,
): Promise<readonly OverrideChange[]> {
  if (search === undefined || search === null)
    return items === undefined || items === null ? [] : readOverrides(tx, organization, items)
  const asked = SEARCH.safeParse(normalized(search))
  if (!asked.success)
    throw badParameter('content_overrides_search', search, 'must be an object with search, and with enabled or remove')
  const { search: query = '', enabled, remove = false } = asked.data
  if (!remove && enabled === undefined)
    throw badParameter('content_overrides_search', search, 'must say enabled: true or false, or remove: true')
  const labels = await labelsFound(tx, resource, organization, query)
  const value = remove ? null : enabled ? '1' : '0'
  return labels.map((content_label) => ({ content_label, name: 'enabled', value }))
}

/** Booleans as text are booleans (content-api §4.1). */
function normalized(search: unknown): unknown {
  if (typeof search !== 'object' || search === null) return search
  return Object.fromEntries(
    Object.entries(search).map(([key, value]) => [key, key === 'search' ? value : (toBoolean(value) ?? undefined)]),
  )
}

/** The labels of contents of products that the caller may see. */
async function labelsFound(
  tx: Context,
  { registry }: Resource,
  organization: number,
  query: string,
): Promise<readonly string[]> {
  const found = refusingBadSearch(() => compileSearch(contentSearch, query, searchOptions(tx))).condition ?? sql`true`
  const products = registry.get('product')
  const seen = products ? where(visible(tx, products, 'view_products')) : sql`false`
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
    sql`select ${overridesSql(TABLE, OWN, 't')} as overrides from hosts t where t.id = ${host}`,
  )
  return found?.overrides ?? []
}

/** Below `/api` a refusal names the parameter that it is about (core-api §2.5). */
async function naming<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_parameter' || error.details.class) throw error
    const { details } = badParameter('content_overrides', null, '')
    throw new Failure('bad_parameter', error.message, details, { cause: error })
  }
}
