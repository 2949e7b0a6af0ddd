import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/sql.ts'
import type { Condition } from '../../../kernel/condition.ts'
import { type Classification, computeClassification } from './classify.ts'
import { loadNodeInputs, loadNodeInputsByName, type NodeInputs } from './inputs.ts'
import { loadConsistently } from './keeping.ts'
import { EVERYTHING, type PreparedNode, prepareNode, type Viewer } from './prepare.ts'

/** What classification needs of the world. */
export type NodeContext = Pick<Context, 'db' | 'encryption'>

/** The host with this certificate name, name or id, ready to be classified; null when the conditions leave none. */
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

/** Hosts by id, ready to be classified, in one statement; those that there are not are missing. */
export async function loadNodes(db: Db, ids: readonly number[], viewer: Viewer = EVERYTHING): Promise<PreparedNode[]> {
  const { catalog, inputs } = await loadConsistently(db, (at, facts) => loadNodeInputs(at, ids, facts))
  return inputs.map((each: NodeInputs) => prepareNode(each, catalog, viewer))
}

/** A host of a fleet with what it gets. */
export interface ClassifiedHost extends Classification {
  readonly id: number
}

/** How many hosts are worked out before others in this process have their turn. */
const AT_ONCE = 10

/**
 * Classifies any number of hosts, some hundred at a time, each for itself: what fails for one is among its failures. The
 * database reads the next hosts while these are worked out.
 */
export async function* classifyHosts(
  { db, encryption }: NodeContext,
  ids: readonly number[],
  batch = 250,
): AsyncGenerator<ClassifiedHost> {
  const read = (from: number) => {
    const reading = from < ids.length ? loadNodes(db, ids.slice(from, from + batch)) : Promise.resolve([])
    reading.catch(() => undefined) // whoever waits for it is told
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
