import { randomInt } from 'node:crypto'

const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31))

/** What the random data of a test follow from; TEST_SEED repeats a run, and CI takes it from the files that it tests. */
export function seedOfRun(): number {
  return SEED
}
