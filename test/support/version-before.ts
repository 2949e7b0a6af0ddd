import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spawnSync } from './processes.ts'

/**
 * Yields the commit before the last one with a migration, which stands for the previous version: releases in between have
 * the schema of the one or of the other. Null in a checkout without history.
 */
export function versionBefore(): string | null {
  // A branch may have numbered its migrations otherwise: only what was merged counts.
  const added = listLines('log', '--format=%H', ...ADDED, '--', MIGRATIONS)
  const before = added.find((commit) => !hasRevertedEdit(`${commit}^`))
  return (before && listLines('rev-parse', '--verify', '--quiet', `${before}^`)[0]) || null
}

const MIGRATIONS = 'migrations/*.sql'
const ADDED = ['--first-parent', '-m', '--diff-filter=A']

/**
 * Whether a commit has edited migrations, and all of them are as they were first merged again: it was never released. An edit
 * that is still here counts, so that the tests of the version before find it.
 */
function hasRevertedEdit(commit: string): boolean {
  const edited = listLines('diff', '--name-only', '--diff-filter=M', commit, 'HEAD', '--', MIGRATIONS)
  return edited.length > 0 && edited.every(isAsMerged)
}

function isAsMerged(file: string): boolean {
  const merged = listLines('log', '--format=%H', ...ADDED, '--', file).at(-1)
  return merged !== undefined && listLines('diff', '--name-only', merged, 'HEAD', '--', file).length === 0
}

function listLines(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return (stdout ?? '').split('\n').filter((line) => line !== '')
}

/** Puts the files of a commit into a new folder, with the packages of this checkout. */
export function unpackBefore(commit: string, folder: string): void {
  mkdirSync(folder)
  const unpack = 'git archive "$1" -- . ":!test" ":!docs/reference" | tar -x -C "$2"'
  const { status, stderr } = spawnSync('sh', ['-c', unpack, 'sh', commit, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
}
