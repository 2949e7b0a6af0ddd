import { randomInt } from 'node:crypto'

const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31))

/** Yields the seed of random test data; TEST_SEED repeats a run, and CI derives it from the tested files. */
export function seedOfRun(): number {
  return SEED
}
