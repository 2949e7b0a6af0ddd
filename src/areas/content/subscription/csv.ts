import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { Action, Row } from '../../../kernel/index.ts'
import { listRequestedPools } from './list.ts'
import { poolQuery } from './pool-page.ts'

/** The columns of the table in order: title, and key of the row. */
const COLUMNS = [
  ['Pool Id Number', 'id'],
  ['Subscription Id', 'subscription_id'],
  ['Name', 'name'],
  ['Pool Id', 'cp_id'],
  ['Organization Id', 'organization_id'],
  ['Sockets', 'sockets'],
  ['Cores', 'cores'],
  ['Start Date', 'start_date'],
  ['End Date', 'end_date'],
  ['Consumed', 'consumed'],
  ['Quantity', 'quantity'],
  ['Account Number', 'account_number'],
  ['Contract Number', 'contract_number'],
  ['Support Level', 'support_level'],
  ['RAM', 'ram'],
  ['Stacking Id', 'stacking_id'],
  ['Multi Entitlement', 'multi_entitlement'],
  ['Type', 'type'],
  ['Product Id', 'product_id'],
  ['Unmapped Guest', 'unmapped_guest'],
  ['Virt Only', 'virt_only'],
  ['Requires Virt Who', 'virt_who'],
  ['Upstream', 'upstream'],
] as const

/** Answers all subscriptions that the list has for the same query, as CSV (content-api §3.1). */
export const subscriptionsAsCsv: Action = {
  method: 'GET',
  path: '.csv',
  name: 'csv',
  below: ['organization'],
  summary: 'List subscriptions as CSV',
  permissions: ['view_subscriptions'],
  query: poolQuery,
  output: z.string().meta({
    contentMediaType: 'text/csv',
    description: 'Comma-separated values (RFC 4180), the first line with the names of the columns.',
  }),
  handle: async (ctx, subscriptions, input) => {
    const { page: _page, ...query } = input.query
    const whole = { ...input, query: { ...query, per_page: 'all' } }
    const { organization, page } = await listRequestedPools(ctx, subscriptions, whole)
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="subscriptions.csv"',
      },
      body: formatTable(page.results.map((pool) => ({ ...pool, organization_id: organization }))),
    }
  },
}

/** Formats rows as CSV. Values that spreadsheets would execute as formulas are marked as text. */
function formatTable(pools: readonly Row[]): string {
  return stringify([...pools], {
    header: true,
    columns: COLUMNS.map(([header, key]) => ({ header, key })),
    cast: { boolean: String },
    escape_formulas: true,
  })
}
