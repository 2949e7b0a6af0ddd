import type { Condition } from '../../../kernel/index.ts'
import type { NodeContext } from './catalog.ts'
import { loadNodeInputs, loadNodeInputsByName, type NodeInputs } from './inputs.ts'
import { loadConsistently } from './keeping.ts'
import { EVERYTHING, type PreparedNode, prepareNode, type Viewer } from './prepare.ts'

/**
 * Loads the host with this certificate name, name or id, prepared for classification; null when there is none that the
 * conditions leave.
 */
export async function loadNodeByName(
  ctx: NodeContext,
  name: string,
  viewer: Viewer,
  conditions: readonly Condition[],
): Promise<PreparedNode | null> {
  const { catalog, inputs } = await loadConsistently(ctx, async (at, facts) => {
    const found = await loadNodeInputsByName(at, name, facts, conditions)
    return found ? [found] : []
  })
  const [found] = inputs
  return found ? prepareNode(found, catalog, viewer) : null
}

/** Loads hosts by id, prepared for classification, in one statement; unknown ids are missing. */
export async function loadNodes(
  ctx: NodeContext,
  ids: readonly number[],
  viewer: Viewer = EVERYTHING,
): Promise<PreparedNode[]> {
  const { catalog, inputs } = await loadConsistently(ctx, (at, facts) => loadNodeInputs(at, ids, facts))
  return inputs.map((each: NodeInputs) => prepareNode(each, catalog, viewer))
}
