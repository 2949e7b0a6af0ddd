import { spawnSync } from './processes.ts'

/** vitest's global set-up of every project: the program in few files, as `npm start` makes it, where its sources have changed. */
export function setup(): void {
  const words = ['scripts/bootstrap.mjs', 'build']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The program could not be made: ${stdout}${stderr}`)
}
