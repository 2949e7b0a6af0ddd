import { createHash } from 'node:crypto'
import { seedOfRun } from './seed.ts'

/** Whether many files run, which try every resource law on a cover; a file that is named, and TEST_WHOLE=yes, try it on all. */
export const isShort = process.env.TEST_SHORT === 'yes' && process.env.TEST_WHOLE !== 'yes'

interface Choice<One> {
  readonly nameOf: (one: One) => string
  /** What is special about it: its kinds and options. */
  readonly featuresOf: (one: One) => Iterable<string>
  /** How much of the rest is taken, by the seed of the run. */
  readonly share?: number
}

/**
 * Chooses what stands for all: as few as show every feature, and of the rest a part that differs with the seed of the run, so
 * that every one has its turn. TEST_WHOLE=yes takes all.
 */
export function chooseCover<One>(all: readonly One[], { nameOf, featuresOf, share = 0.2 }: Choice<One>): One[] {
  const missing = new Map(all.map((one) => [one, new Set(featuresOf(one))]))
  const chosen = new Set<One>()
  for (;;) {
    const [best] = [...missing].sort(([, one], [, other]) => other.size - one.size)
    if (best === undefined || best[1].size === 0) break
    chosen.add(best[0])
    for (const feature of [...best[1]]) for (const features of missing.values()) features.delete(feature)
  }
  return all.filter((one) => chosen.has(one) || isInTurn(nameOf(one), share))
}

/** Tells whether it is the turn of the one of this name: for each seed it is that of another part of all. */
export function isInTurn(name: string, share = 0.2): boolean {
  if (process.env.TEST_WHOLE === 'yes') return true
  return createHash('sha256').update(`${seedOfRun()} ${name}`).digest().readUInt32BE() / 2 ** 32 < share
}

/** Tells on standard output how the choice of this run is repeated, and how all are taken. */
export function printChoice(what: string, chosen: number, all: number): void {
  console.log(`${what}: ${chosen} of ${all}; TEST_SEED=${seedOfRun()} repeats the choice, TEST_WHOLE=yes takes all`)
}
