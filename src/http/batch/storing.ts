import { type Context, inTransaction, withRollback } from '../../context.ts'
import { foldChanges } from '../../database/fold-changes.ts'
import { inSavepoint } from '../../database/savepoints.ts'
import type { Registry } from '../../kernel/index.ts'
import type { Input, Route } from '../../requests/route.ts'
import { type ErrorForm, errorFormOf } from '../../requests/surface.ts'
import { isFault, toErrorAnswer } from '../answers/errors.ts'
import { createReading, fillIn } from './batch-results.ts'
import type { BatchOperation, BatchOutcome } from './request.ts'

/** The number of failures after which a batch that stores all or nothing ends: what follows is not tried. */
const MOST_FAILURES = 100
/**
 * The number of writes from which change lines are folded right after a batch. Folding only keeps reads fast, so that its
 * failure does not fail the writes.
 */
const WRITES_TO_FOLD = 64
const FOLD_FAILED = 'folding change lines failed'

/** Options of a batch, besides its routes. */
export interface BatchOptions {
  readonly registry: Registry
  /** Called after the commit with one route of each group that the batch has called, as after single requests. */
  readonly afterWrite: (route: Route) => Promise<void>
}

/** Does what follows once writes are committed: caches drop what is outdated, and after many writes change lines are folded. */
export async function announceWrites(
  ctx: Context,
  written: readonly Route[],
  operations: number,
  options: BatchOptions,
): Promise<void> {
  for (const route of written) await options.afterWrite(route)
  // Each write has left change lines, which the next lists would have to add up.
  if (operations >= WRITES_TO_FOLD) await foldChanges(ctx.db).catch((err) => ctx.log.warn({ err }, FOLD_FAILED))
}

/** The operations of a batch, and how one of them is done. */
export interface Work {
  readonly operations: readonly BatchOperation[]
  readonly registry: Registry
  /** Executes one operation. With `reading` it is tried: a missing permission is not logged, because it is done again. */
  readonly run: (tx: Context, one: BatchOperation, reading?: Input['reading']) => Promise<BatchOutcome>
  /** Called after each transaction of a batch that has several. */
  readonly afterEach: () => Promise<void>
  /** Leaves of a result what the client wants: with `Prefer: return=minimal` the status alone. */
  readonly shorten: (result: BatchOutcome) => BatchOutcome
}

interface Done {
  readonly results: readonly BatchOutcome[]
  readonly failures: number
}

/** Stores the writes of all operations, or none; yields the results of all tried operations in order. */
export async function storeAll(ctx: Context, work: Work): Promise<Done> {
  return (await storeUnrefused(ctx, work)) ?? (await storeUnlessRefused(ctx, work))
}

/**
 * Stores what all operations write without a savepoint for each, which would cost as much as the writes. Null when one is
 * refused: nothing is stored then, and who tries again with savepoints finds all that are.
 */
async function storeUnrefused(ctx: Context, { operations, registry, run, shorten }: Work): Promise<Done | null> {
  const warnings: string[] = []
  try {
    const results = await inTransaction({ ...ctx, warn: (sentence) => void warnings.push(sentence) }, async (tx) => {
      const reading = createReading(registry)
      const done: BatchOutcome[] = []
      for (const one of operations) {
        await reading.before(one)
        done.push(shorten(await run(tx, one, reading.reading)))
      }
      await reading.end()
      return done.map(fillIn)
    })
    for (const sentence of warnings) ctx.warn?.(sentence)
    return { results, failures: 0 }
  } catch (error) {
    if (isFault(error)) throw error
    return null
  }
}

async function storeUnlessRefused(ctx: Context, { operations, run, shorten }: Work): Promise<Done> {
  const results: BatchOutcome[] = []
  let failures = 0
  // Audits of what the answers reveal stay, also when nothing else is stored.
  const kept: ((outer: Context) => Promise<void>)[] = []
  try {
    await inTransaction(ctx, async (tx) => {
      const inner = { ...tx, afterRollback: (after: (typeof kept)[number]) => void kept.push(after) }
      for (const one of operations) {
        const result = await tryOperation(inner, () => run(inner, one), errorFormOf(one.path))
        failures += result.status >= 400 ? 1 : 0
        results.push(shorten(result))
        if (failures === MOST_FAILURES) break
      }
      if (failures > 0) throw new Refused()
      for (const after of kept) await after(tx)
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    for (const after of kept) await after(ctx)
  }
  return { results, failures }
}

/** Does all operations and stores nothing; yields the result of each, as those before it leave the records. */
export function tryAll(ctx: Context, { operations, run, shorten }: Work): Promise<readonly BatchOutcome[]> {
  return withRollback(ctx, async (tx) => {
    const results: BatchOutcome[] = []
    for (const one of operations)
      results.push(shorten(await tryOperation(tx, () => run(tx, one), errorFormOf(one.path))))
    return results
  })
}

/**
 * Stores the writes of each operation that is not refused, each in a transaction of its own with the rights of that moment,
 * so that effects of a refused one never happen. A fault ends the batch and is its last result; the operations before it are stored.
 */
export async function storeEach(ctx: Context, { operations, run: runOne, afterEach, shorten }: Work): Promise<Done> {
  const results: BatchOutcome[] = []
  let failures = 0
  for (const one of operations) {
    try {
      results.push(shorten(await inTransaction(ctx, (tx) => runOne(tx, one))))
      await afterEach()
    } catch (error) {
      failures++
      const { status, body } = toErrorAnswer(error, errorFormOf(one.path))
      results.push({ status, body })
      if (!isFault(error)) continue
      ctx.log.error({ err: error, requestId: ctx.origin.requestId, method: one.method }, 'operation of a batch failed')
      break
    }
  }
  return { results, failures }
}

/** Thrown inside of a transaction to roll it back. */
class Refused extends Error {}

/**
 * Runs an operation in a savepoint: a refused one is undone alone, and the following ones are tried as well. Faults of
 * the service end the batch.
 */
async function tryOperation(tx: Context, work: () => Promise<BatchOutcome>, form: ErrorForm): Promise<BatchOutcome> {
  try {
    return await inSavepoint(tx.db, work)
  } catch (error) {
    if (isFault(error)) throw error
    const { status, body } = toErrorAnswer(error, form)
    return { status, body }
  }
}
