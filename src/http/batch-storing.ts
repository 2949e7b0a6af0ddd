import { type Context, inTransaction } from '../context.ts'
import { askAtOnce } from '../database/at-once.ts'
import { foldChanges } from '../database/fold-changes.ts'
import { inSavepoint } from '../database/savepoints.ts'
import { doTogether } from '../database/together.ts'
import type { Registry } from '../kernel/index.ts'
import type { Input, Route } from '../requests/route.ts'
import { type Surface, surfaceOf } from '../requests/surface.ts'
import type { Operation, Outcome } from './batch-request.ts'
import { isFault, toErrorAnswer } from './errors.ts'
import { createRun, listIds, listSeries, Written } from './written.ts'

/** The number of failures after which a batch that stores all or nothing ends: what follows is not tried. */
const MOST_FAILURES = 100
/** So many operations that are apart are done at once: what they ask at one moment is asked in one message. */
const MOST_AT_ONCE = 20
/**
 * The number of writes from which change lines are folded right after a batch. Folding only keeps reads fast, so that its
 * failure does not fail the writes.
 */
const WRITES_TO_FOLD = 64
const FOLD_FAILED = 'folding change lines failed'

/** What a batch needs besides the routes that it may call. */
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
  readonly operations: readonly Operation[]
  readonly registry: Registry
  /**
   * Executes one operation. With `isTried`, a missing permission is not logged: when a series fails, its operations are done
   * again one by one, and only then logged.
   */
  readonly run: (tx: Context, one: Operation, reading?: Input['reading'], isTried?: boolean) => Promise<Outcome>
  /** Whether an operation writes one record on which nothing else depends, so that it can be done together with others. */
  readonly isPlain: (one: Operation) => boolean
  /** Whether several operations of this kind may be done at once. */
  readonly isApart: (one: Operation) => boolean
  /** Called after each transaction of a batch that has several. */
  readonly afterEach: () => Promise<void>
  /** Leaves of a result what the client wants: with `Prefer: return=minimal` the status alone. */
  readonly shorten: (result: Outcome) => Outcome
}

interface Done {
  readonly results: readonly Outcome[]
  readonly failures: number
}

/** Stores what all operations write, or nothing; results are those of all operations that were tried, in their order. */
export async function storeAll(ctx: Context, work: Work): Promise<Done> {
  const { operations, registry, run: runOne, shorten } = work
  const results: Outcome[] = []
  let failures = 0
  try {
    await inTransaction(ctx, async (tx) => {
      for (const series of listSeries(operations)) {
        const done = failures === 0 && series.length > 1 && (await storeTogether(tx, series, work))
        if (done) {
          results.push(...done.map(shorten))
          continue
        }
        const run = createRun(registry)
        for (const one of series) {
          await run.endBefore(one)
          const result = await tryOperation(tx, () => runOne(tx, one, run.reading), surfaceOf(one.path))
          failures += result.status >= 400 ? 1 : 0
          results.push(shorten(result))
          if (failures === MOST_FAILURES) break
        }
        await run.end()
        if (failures === MOST_FAILURES) break
      }
      if (failures > 0) throw new Refused()
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  return { results: results.map(fillIn), failures }
}

/**
 * Stores what a series of operations writes; look-ups, checks, audits and reading are done for all of them together.
 * Null when one of them is not plain or is refused: nothing is stored then, and doing them one by one yields the reasons.
 */
async function storeTogether(
  tx: Context,
  series: readonly Operation[],
  { isPlain, isApart, registry, run }: Work,
): Promise<Outcome[] | null> {
  if (!series.every(isPlain)) return null
  const effects: (() => void)[][] = []
  const reading = createRun(registry)
  const runOne = async (one: Operation): Promise<Outcome> => {
    const own: (() => void)[] = []
    effects.push(own)
    const trying: Context = {
      ...tx,
      afterCommit: (effect) => void own.push(() => tx.afterCommit(effect)),
      warn: (sentence) => void own.push(() => tx.warn?.(sentence)),
    }
    await reading.endBefore(one)
    return run(trying, one, reading.reading, true)
  }
  const [first] = series // all are of one kind
  const done = await doTogether(tx.db, listIds(series), () =>
    first && isApart(first)
      ? askAtOnce(tx.db, () => mapAtOnce(series, MOST_AT_ONCE, runOne))
      : mapAtOnce(series, 1, runOne),
  )
  if (done) await reading.end()
  for (const effect of done ? effects.flat() : []) effect()
  return done
}

/**
 * Does work for all, so many at once, and yields the results in their order. The first is done alone: what it looks up is known
 * to the others, which then ask in their order. When one fails, none is begun any more, and what was begun is waited for: it
 * must not go on while it is undone. {@throws} what the first of them throws
 */
async function mapAtOnce<One, Result>(
  all: readonly One[],
  most: number,
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...all.entries()].reverse()
  const workOnNext = async () => {
    const next = waiting.pop()
    if (next) results[next[0]] = await work(next[1])
  }
  const workOn = async () => {
    while (waiting.length > 0) await workOnNext()
  }
  await workOnNext()
  const lanes = Array.from({ length: most }, () =>
    workOn().catch((error) => {
      waiting.length = 0
      throw error
    }),
  )
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  return results
}

/** Replaces the placeholder in an outcome by the record as it was read at the end of its run. */
function fillIn({ status, body }: Outcome): Outcome {
  return body === undefined ? { status } : { status, body: body instanceof Written ? body.shown : body }
}

/**
 * Stores the writes of each operation that is not refused, each in a transaction of its own with the rights of that moment,
 * so that effects of a refused one never happen. A fault ends the batch and is its last result; the operations before it are stored.
 */
export async function storeEach(ctx: Context, { operations, run: runOne, afterEach, shorten }: Work): Promise<Done> {
  const results: Outcome[] = []
  let failures = 0
  for (const one of operations) {
    try {
      results.push(shorten(await inTransaction(ctx, (tx) => runOne(tx, one))))
      await afterEach()
    } catch (error) {
      failures++
      const { status, body } = toErrorAnswer(error, surfaceOf(one.path))
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
async function tryOperation(tx: Context, work: () => Promise<Outcome>, surface: Surface): Promise<Outcome> {
  try {
    return await inSavepoint(tx.db, work)
  } catch (error) {
    if (isFault(error)) throw error
    const { status, body } = toErrorAnswer(error, surface)
    return { status, body }
  }
}
