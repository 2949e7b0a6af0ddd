import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spawnSync } from './processes.ts'

/**
 * Yields the commit before the last one with a migration, which stands for the previous version: releases in between have
 * the schema of the one or of the other. Null in a checkout without history.
 */
export function versionBefore(): string | null {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  // A branch may have numbered its migrations otherwise: only what was merged counts.
  const merged = ['--first-parent', '-m', '--diff-filter=A']
  const { stdout } = git('log', '-9', '--format=%H^', ...merged, '--', 'migrations/*.sql')
  // No release has migrations that were changed before they were released.
  const isReleased = (commit: string) =>
    git('diff', '--quiet', '--diff-filter=MDR', commit, 'HEAD', '--', 'migrations/*.sql').status === 0
  const found = (stdout ?? '').split('\n').find((commit) => commit !== '' && isReleased(commit))
  return (found && git('rev-parse', '--verify', '--quiet', found).stdout?.trim()) || null
}

/** Puts the files of a commit into a new folder, with the packages of this checkout. */
export function unpackBefore(commit: string, folder: string): void {
  mkdirSync(folder)
  const unpack = 'git archive "$1" -- . ":!test" ":!docs/reference" | tar -x -C "$2"'
  const { status, stderr } = spawnSync('sh', ['-c', unpack, 'sh', commit, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
}
