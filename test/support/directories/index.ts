import type { DirectoryKind, TestDirectory } from './directory.ts'
import { hasDs389, startDs389 } from './ds389.ts'
import { hasSamba, startSamba } from './samba.ts'
import { hasSlapd, type SlapdOptions, startSlapd } from './slapd.ts'

export type { DirectoryKind, TestDirectory } from './directory.ts'

/** Starts a directory server. Null where its programs are missing, which fails with CI=true. Options are for slapd only. */
export async function startDirectory(kind: DirectoryKind, options: SlapdOptions = {}): Promise<TestDirectory | null> {
  if (kind === 'slapd' && hasSlapd()) return startSlapd(options)
  if (kind === 'ds389' && hasDs389()) return startDs389()
  if (kind === 'samba' && hasSamba()) return startSamba()
  const missing = `${kind} is not installed (.ci/run installs it)`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: the tests with ${kind}: ${missing}`)
  return null
}
