import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../database/sql.ts'
import type { Condition } from '../../../kernel/condition.ts'
import { type Classification, computeClassification } from './classify.ts'
import { loadNodeInputs, loadNodeInputsByName, type NodeInputs } from './inputs.ts'
import { loadConsistently } from './keeping.ts'
import { EVERYTHING, type NodeContext, type PreparedNode, prepareNode, type Viewer } from './prepare.ts'

/**
 * Loads the host with this certificate name, name or id, prepared for classification; null when the conditions leave
 * none.
 */
export async function loadNodeByName(
  { db }: NodeContext,
  name: string,
  viewer: Viewer,
  conditions: readonly Condition[],
): Promise<PreparedNode | null> {
  const { catalog, inputs } = await loadConsistently(db, async (at, facts) => {
    const found = await loadNodeInputsByName(at, name, facts, conditions)
    return found ? [found] : []
  })
  const [found] = inputs
  return found ? prepareNode(found, catalog, viewer) : null
}

/** Loads hosts by id, prepared for classification, in one statement; unknown ids are missing. */
export async function loadNodes(db: Db, ids: readonly number[], viewer: Viewer = EVERYTHING): Promise<PreparedNode[]> {
  const { catalog, inputs } = await loadConsistently(db, (at, facts) => loadNodeInputs(at, ids, facts))
  return inputs.map((each: NodeInputs) => prepareNode(each, catalog, viewer))
}

/** A host with its classification. */
export interface ClassifiedHost extends Classification {
  readonly id: number
}

/** After so many hosts other work of the process gets its turn. */
const AT_ONCE = 10

/**
 * Classifies many hosts, some hundreds at a time, each for itself: errors are among the failures of their host. The
 * next hosts are loaded while these are computed.
 */
export async function* classifyHosts(
  { db, encryption }: NodeContext,
  ids: readonly number[],
  batch = 250,
): AsyncGenerator<ClassifiedHost> {
  const read = (from: number) => {
    const reading = from < ids.length ? loadNodes(db, ids.slice(from, from + batch)) : Promise.resolve([])
    reading.catch(() => undefined) // the error is thrown where the result is awaited
    return reading
  }
  let next = read(0)
  for (let from = batch; from < ids.length + batch; from += batch) {
    const current = await next
    next = read(from)
    for (const [index, prepared] of current.entries()) {
      if (index % AT_ONCE === 0) await setImmediate()
      yield { id: prepared.inputs.id, ...computeClassification(prepared, encryption.decrypt) }
    }
  }
}
