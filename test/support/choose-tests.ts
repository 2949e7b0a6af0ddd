import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where each test file records what it enters. */
export const RECORDS = join(import.meta.dirname, '../../.cache/entered')

/** The functions of the service that a test file enters: their names and places by source file. */
export interface EnteredRecord {
  readonly test: string
  readonly entered: Readonly<Record<string, readonly string[]>>
}

/** A choice of test files for each source file: places in `tests`, the test that tells most for its time first. */
export interface Choice {
  readonly tests: readonly string[]
  readonly sources: Readonly<Record<string, readonly number[]>>
}

/** Tests that take longer are for a whole run. */
const LONGEST_SECONDS = 30
const MOST_FOR_A_SOURCE = 3

/**
 * Chooses tests for each source file from the records of the last run: those that enter functions of it that few other tests
 * enter, and take little time for that. Together the tests of a file enter as many of its functions as three can.
 */
export function chooseTests(durations: Readonly<Record<string, number>>): Choice {
  const tests = readRecords().filter(({ test }) => (durations[test] ?? Infinity) <= LONGEST_SECONDS)
  const bySource = new Map<string, Map<string, ReadonlySet<string>>>()
  for (const { test, entered } of tests)
    for (const [source, functions] of Object.entries(entered)) {
      const known = bySource.get(source) ?? new Map()
      bySource.set(source, known.set(test, new Set(functions)))
    }
  const names = tests.map(({ test }) => test).sort()
  const chosen = [...bySource].map(([source, entering]): [string, number[]] => [
    source,
    chooseFor(entering, durations).map((test) => names.indexOf(test)),
  ])
  return { tests: names, sources: Object.fromEntries(chosen.sort(([one], [other]) => (one < other ? -1 : 1))) }
}

function chooseFor(
  entering: ReadonlyMap<string, ReadonlySet<string>>,
  durations: Readonly<Record<string, number>>,
): readonly string[] {
  const numbers = new Map<string, number>()
  for (const functions of entering.values()) for (const one of functions) numbers.set(one, (numbers.get(one) ?? 0) + 1)
  const open = new Set(numbers.keys())
  const chosen: string[] = []
  while (chosen.length < MOST_FOR_A_SOURCE && open.size > 0) {
    const computeRate = (test: string) => {
      const told = [...(entering.get(test) ?? [])].filter((one) => open.has(one))
      return told.reduce((sum, one) => sum + 1 / (numbers.get(one) ?? 1), 0) / (1 + (durations[test] ?? 0))
    }
    const rated = [...entering.keys()].map((test) => ({ test, rate: computeRate(test) }))
    const [best] = rated.sort((one, other) => other.rate - one.rate || (one.test < other.test ? -1 : 1))
    if (!best || best.rate === 0) break
    chosen.push(best.test)
    for (const one of entering.get(best.test) ?? []) open.delete(one)
  }
  return chosen
}

function readRecords(): readonly EnteredRecord[] {
  if (!existsSync(RECORDS)) return []
  return readdirSync(RECORDS).map((name) => JSON.parse(readFileSync(join(RECORDS, name), 'utf8')))
}
