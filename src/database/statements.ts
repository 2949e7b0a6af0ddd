import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import { type Beginning, withInnerSpan } from '../tracing.ts'

/** What came back from a statement, in the shape both drivers share. */
export interface Outcome {
  readonly command: string | undefined
  readonly rowCount: number | null
  readonly rows: unknown[]
}

/** Runs one statement whose values are already text. */
export type Run = (text: string, values: readonly (string | null)[]) => Promise<Outcome>

/** Statements that one piece of work ran; filled while it runs. Beginning and ending transactions is not counted. */
export interface Tally {
  count: number
  milliseconds: number
  /** The statements themselves when somebody wants to see them: text only, never bound values. */
  readonly texts?: string[]
  /** Set by work that is known to take long, so that it is not logged as slow. */
  readonly mayBeSlow?: boolean
  /** Set by work whose statements have no time limit, such as a migration. */
  readonly unlimited?: boolean
}

const tallies = new AsyncLocalStorage<readonly Tally[]>()

/**
 * Runs `work` so that every statement it causes, also later and in other functions, is added to `tally`, and to those of
 * the work around it.
 */
export function tallyStatements<Result>(tally: Tally, work: () => Result): Result {
  const around = tallies.getStore()
  return tallies.run(around ? [...around, tally] : [tally], work)
}

/** Whether the statements of the work that runs now have no time limit. */
export function mayTakeForever(): boolean {
  return tallies.getStore()?.some(({ unlimited }) => unlimited) ?? false
}

/** Runs `work` and tells how many statements it took, and which. */
export async function countStatements<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; count: number; texts: readonly string[] }> {
  const texts: string[] = []
  const tally: Tally = { count: 0, milliseconds: 0, texts }
  const result = await tallyStatements(tally, work)
  return { result, count: tally.count, texts }
}

/** `run` with every statement counted, and logged when it took longer than `slowQueryMs`. */
export function observed(run: Run, slowQueryMs: number, log: Logger): Run {
  return async (text, values) => {
    const start = performance.now()
    let outcome: Outcome | undefined
    try {
      outcome = await withInnerSpan(
        () => beginningOf(text),
        () => run(text, values),
      )
      return outcome
    } finally {
      record(text, performance.now() - start, outcome)
    }
  }

  function record(text: string, milliseconds: number, outcome: Outcome | undefined): void {
    const counting = tallies.getStore() ?? []
    for (const tally of TRANSACTION_CONTROL.has(text) ? [] : counting) {
      tally.count++
      tally.milliseconds += milliseconds
      tally.texts?.push(text)
    }
    if (log.isLevelEnabled('trace'))
      log.trace({ milliseconds, statement: text.slice(0, LONGEST_LOGGED), failed: !outcome }, 'statement')
    if (milliseconds < slowQueryMs || counting.some((tally) => tally.mayBeSlow)) return
    const fields = { milliseconds: Math.round(milliseconds), rows: outcome?.rowCount ?? null, failed: !outcome }
    log.warn({ ...fields, statement: text.slice(0, LONGEST_LOGGED) }, 'slow statement')
  }
}

/** The text alone: values are bound, and stay here. */
function beginningOf(text: string): Beginning {
  const [operation = ''] = text.trim().split(/\W/, 1)
  const facts = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, LONGEST_LOGGED),
  }
  return { name: operation, kind: 'asks', facts }
}

const TRANSACTION_CONTROL: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback'])
const LONGEST_LOGGED = 2000
