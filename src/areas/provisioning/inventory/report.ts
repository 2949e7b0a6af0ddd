import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import type { Registry } from '../../../kernel/index.ts'
import { parseExact } from '../../../lib/lossless-json.ts'
import { membersOf } from '../../../lib/values.ts'
import { ReportRows } from '../report-template/rows.ts'
import type { ReportWish } from '../report-template/wish.ts'
import { INVENTORY_INPUTS, type InventoryWish, selectInventoryRows } from './rows.ts'

/** Formats the inventory as a report, in pieces of some thousand hosts. */
export async function* formatInventory(ctx: Context, registry: Registry, wish: ReportWish): AsyncGenerator<string> {
  const portions = selectInventoryRows(ctx, registry, readInventoryWish(wish.inputs))
  if (wish.format === 'json') return yield* joinJson(portions)
  const report = new ReportRows()
  for await (const portion of portions) {
    for (const text of portion) report.add(membersOf(parseExact(text)))
    yield report.take(wish.format)
  }
  yield report.finish(wish.format)
}

/** The rows are JSON already. */
async function* joinJson(portions: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let before = '['
  for await (const portion of portions) {
    yield before + portion.join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Reads which hosts and keys an inventory is to have; a key that is not mentioned is left out only where it is large. */
function readInventoryWish(inputs: ReportWish['inputs']): InventoryWish {
  const { Hosts: search = null } = inputs
  if (search !== null && typeof search !== 'string') throw invalid({ input_values: ['Hosts must be a search: text'] })
  const keys = Object.entries(INVENTORY_INPUTS).flatMap(([input, names]) => {
    const said = inputs[input]
    const isWanted = said === undefined || said === null || said === '' ? input !== 'Facts' : saysYes(said)
    return isWanted ? names : []
  })
  return { search, keys: new Set(keys) }
}

function saysYes(said: unknown): boolean {
  return said === true || said === 1 || (typeof said === 'string' && ['yes', 'true', '1'].includes(said.toLowerCase()))
}
