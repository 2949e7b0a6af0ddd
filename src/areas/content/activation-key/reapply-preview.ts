import type { Context } from '../../../context.ts'
import type { Resource } from '../../../kernel/index.ts'
import type { KeyOfHosts } from './drift.ts'
import { loadDifferences } from './drift-differences.ts'
import { loadExpectations } from './drift-expected.ts'
import { withVisibleKeys } from './drift-keys.ts'
import type { ReapplyRequest } from './reapply-request.ts'
import { loadReapplyTargets } from './reapply-targets.ts'

/** The most hosts that a preview lists; its total counts all of them. */
export const SHOWN = 100

/** Lists what reapplying would change, for the first hosts by name. */
export async function previewReapply(ctx: Context, keys: Resource, key: KeyOfHosts, wanted: ReapplyRequest) {
  const ids = await loadReapplyTargets(ctx, keys.registry, key, wanted)
  const shown = ids.slice(0, SHOWN)
  const { fields } = wanted
  const found = await loadDifferences(ctx, key.id, await loadExpectations(ctx, key, shown), fields, shown)
  const seen = await withVisibleKeys(ctx, keys, found)
  const byId = new Map(seen.map((one) => [one.id, one]))
  const results = shown.flatMap((id) => {
    const one = byId.get(id)
    return one ? [{ id, name: one.name, differences: one.differences }] : []
  })
  return { total: ids.length, fields, results }
}
