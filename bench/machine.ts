import { mkdtempDisposableSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { findPrograms } from '../src/postgresql/programs.ts'

/** Describes the machine and software on which figures depend, in one sentence. */
export function describeMachine(): string {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'millwright-'))
  const { version } = findPrograms(folder.path, null)
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const [busy = 0] = loadavg()
  const versions = `Node ${process.versions.node}, PostgreSQL ${version}`
  return `${availableParallelism()} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}, ${versions}; load at the end ${busy.toFixed(1)}`
}
