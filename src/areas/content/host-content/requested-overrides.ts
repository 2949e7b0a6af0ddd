import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, Failure } from '../../../errors.ts'
import type { Resource, Sent } from '../../../kernel/index.ts'
import { readChoice } from '../../../records/choice.ts'
import { toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { compileContentSearch, limitToSeenProducts } from '../shared/content-conditions.ts'
import { type OverrideChange, readOverrideChanges } from '../shared/overrides.ts'

/** A search for contents, and what becomes of those that it finds. */
export const OVERRIDES_BY_SEARCH = z.object({
  search: z.string().optional().meta({ description: 'Contents to override.' }),
  all: z.boolean().optional().meta({ description: 'True: all of them. Without it a search is needed.' }),
  enabled: z.boolean().optional().meta({ description: 'Whether they are to be enabled.' }),
  remove: z.boolean().optional().meta({ description: 'True: they are to be as by default.' }),
})

/** Reads which overrides a request changes: a list, or a search. {@throws Failure} bad_parameter */
export async function readRequestedChanges(
  tx: Context,
  resource: Resource,
  organization: number,
  { content_overrides: items, content_overrides_search: search }: Sent,
): Promise<readonly OverrideChange[]> {
  // Clients send an empty object beside their list.
  if (search === undefined || search === null || isEmpty(search))
    return items === undefined || items === null ? [] : readOverrideChanges(tx, organization, items)
  const asked = OVERRIDES_BY_SEARCH.safeParse(normalizeBooleans(search))
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

/** Adds the name of the parameter to refusals, which answers below `/api` have (core-api §2.5). */
export async function withParameterName<Result>(work: () => Promise<Result>): Promise<Result> {
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

/** Loads the labels of contents that a search finds (null: all), of products that the caller may see. */
async function loadLabels(
  tx: Context,
  { registry }: Resource,
  organization: number,
  query: string | null,
): Promise<readonly string[]> {
  const labels = await rows<{ label: string }>(
    tx.db,
    sql`select distinct c.label from product_contents t join contents c on c.id = t.content_id
      join products o on o.id = t.product_id
      where c.organization_id = ${organization} and o.organization_id = ${organization}
        and ${compileContentSearch(tx, query ?? '')} and ${limitToSeenProducts(tx, registry)} order by 1`,
  )
  return labels.map(({ label }) => label)
}
