import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/sql.ts'
import { type Classification, classify } from './classify.ts'
import { type NodeInputs, readInputs, readNamedInputs } from './inputs.ts'
import { readConsistently } from './keeping.ts'
import { EVERYTHING, type Prepared, prepare, type Viewer } from './prepare.ts'

/** What classification needs of the world. */
export type NodeContext = Pick<Context, 'db' | 'encryption'>

/** The host with this certificate name, name or id, ready to be classified; null when there is none. */
export async function namedNode(
  { db }: NodeContext,
  name: string,
  viewer: Viewer = EVERYTHING,
): Promise<Prepared | null> {
  const { catalog, inputs } = await readConsistently(db, async (at, facts) => {
    const found = await readNamedInputs(at, name, facts)
    return found ? [found] : []
  })
  const [found] = inputs
  return found ? prepare(found, catalog, viewer) : null
}

/** Hosts by id, ready to be classified, in one statement; those that there are not are missing. */
export async function nodes(db: Db, ids: readonly number[], viewer: Viewer = EVERYTHING): Promise<Prepared[]> {
  const { catalog, inputs } = await readConsistently(db, (at, facts) => readInputs(at, ids, facts))
  return inputs.map((each: NodeInputs) => prepare(each, catalog, viewer))
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
    const reading = from < ids.length ? nodes(db, ids.slice(from, from + batch)) : Promise.resolve([])
    reading.catch(() => undefined) // whoever waits for it is told
    return reading
  }
  let next = read(0)
  for (let from = batch; from < ids.length + batch; from += batch) {
    const current = await next
    next = read(from)
    for (const [index, prepared] of current.entries()) {
      if (index % AT_ONCE === 0) await setImmediate()
      yield { id: prepared.inputs.id, ...classify(prepared, encryption.decrypt) }
    }
  }
}
