import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

/** Describes the machine and software on which figures depend, in one sentence. */
export function describeMachine(binaries: string): string {
  const postgresql = spawnSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const [busy = 0] = loadavg()
  const versions = `Node ${process.versions.node}, ${postgresql.replace(/^postgres /, '')}`
  return `${availableParallelism()} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}, ${versions}; load at the end ${busy.toFixed(1)}`
}
