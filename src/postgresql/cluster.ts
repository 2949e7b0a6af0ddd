import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, chown, cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Failure } from '../errors.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import { ROOT } from '../root.ts'
import { digestMigrations } from './migrate.ts'
import { type Programs, readMajor } from './programs.ts'

/** The name of the database and of its owner in a bundled cluster. */
export const NAME = 'millwright'

interface ClusterOptions {
  readonly programs: Programs
  readonly fsync: boolean
  /** The folder of migrations that the caller is about to apply: the copied cluster may have them already. */
  readonly migrations?: string | undefined
}

/**
 * Prepares the files of PostgreSQL inside a data directory. Copies new ones from a template if this installation has
 * one, which takes a fifth of the time of `initdb`. Replaces files that a crash left unfinished, because they hold no
 * data yet. {@throws Failure} 'unavailable' for files of another version
 */
export async function prepareCluster(dataDir: string, options: ClusterOptions): Promise<string> {
  const directory = join(dataDir, 'postgresql')
  await finishUpgrade(directory)
  if (await exists(directory)) {
    await refuseOtherVersion(directory, options.programs.version)
    const { account } = options.programs
    if (account && (await stat(directory)).uid !== account.uid) await give(directory, account)
    return directory
  }
  if (await exists(join(dataDir, 'database/PG_VERSION'))) throw new Failure('unavailable', describeFormer(dataDir))
  const unfinished = `${directory}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  try {
    if (!(await copyTemplate(unfinished, options))) await initialize(unfinished, options.programs)
    if (options.fsync) await execute(options.programs, 'initdb', ['--sync-only', '-D', unfinished])
    await rename(unfinished, directory)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined) // otherwise the next start does
    throw error
  }
  if (options.fsync) syncFolder(dataDir)
  return directory
}

function describeFormer(dataDir: string): string {
  return `The data directory ${dataDir} holds an embedded database of a former version, which this one cannot open. Carry it over: run "millwright backup all.backup" with the former version, then "millwright restore all.backup --data-dir another-directory" with this one`
}

/** What a cluster is called that is complete and about to take the place of one of another version. */
export const UPGRADED = '.upgraded'

/** Gives an upgraded cluster its place where that was interrupted, unless the former one still has it: that may have been used since. */
export async function finishUpgrade(directory: string): Promise<void> {
  const upgraded = `${directory}${UPGRADED}`
  if (!(await exists(upgraded))) return
  if (await exists(directory)) return rm(upgraded, { recursive: true, force: true })
  await rename(upgraded, directory)
  syncFolder(dirname(directory))
}

async function refuseOtherVersion(directory: string, version: string): Promise<void> {
  const of = await readClusterVersion(directory)
  if (of === readMajor(version)) return
  const message = `The database in ${directory} is one of PostgreSQL ${of}, and the programs here are version ${version}: carry it over with "millwright upgrade-database", which takes the programs of both versions, or name the folder of those of version ${of} with --postgresql-bin`
  throw new Failure('unavailable', message)
}

/** Reads the major version of the PostgreSQL that has made a cluster. */
export async function readClusterVersion(directory: string): Promise<string> {
  return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
}

async function initialize(directory: string, programs: Programs): Promise<void> {
  const flags = [`--username=${NAME}`, '--auth=trust', '--no-sync', '--no-instructions', ...listLocaleFlags(programs)]
  await execute(programs, 'initdb', ['-D', directory, ...flags])
  await execute(
    programs,
    'postgres',
    ['--single', '-D', directory, 'template1'],
    `alter database postgres rename to ${NAME}\n`,
  )
}

/** Lists the flags of `initdb` by which texts are sorted and folded alike on every system. */
function listLocaleFlags({ version }: Pick<Programs, 'version'>): readonly string[] {
  if (Number.parseInt(version, 10) < 17) return ['--encoding=UTF8', '--locale=C.UTF-8']
  return ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
}

/** Copies the template of this installation; false where there is none to be read. */
async function copyTemplate(directory: string, { programs, migrations }: ClusterOptions): Promise<boolean> {
  const template = migrations === undefined ? null : await computeTemplatePath(programs, migrations)
  if (template === null || !(await exists(template))) return false
  try {
    await cp(template, directory, { recursive: true, mode: constants.COPYFILE_FICLONE })
    await chmod(directory, 0o700)
    if (programs.account) await give(directory, programs.account)
    return true
  } catch {
    await rm(directory, { recursive: true, force: true })
    return false
  }
}

async function give(directory: string, { uid, gid }: NonNullable<Programs['account']>): Promise<void> {
  const names = await readdir(directory, { recursive: true })
  for (const name of ['.', ...names]) await chown(join(directory, name), uid, gid)
}

/** The folder of templates, which goes with the packages of this installation. */
export const TEMPLATES = fileURLToPath(new URL('node_modules/.cache/millwright', ROOT))

/** Yields where the template of these programs with the schema of the migrations in a folder is kept. */
export async function computeTemplatePath({ version }: Programs, migrations: string): Promise<string> {
  return join(TEMPLATES, `postgresql-${version}-${(await digestMigrations(migrations)).slice(0, 16)}`)
}

/** Runs a program to its end. {@throws Error} with what it says where it fails */
async function execute(programs: Programs, name: string, words: readonly string[], input = ''): Promise<void> {
  const [program = '', ...rest] = [...programs.prefix, join(programs.folder, name), ...words]
  const running = promisify(execFile)(program, rest, { env: programs.env, ...programs.account })
  running.child.stdin?.on('error', () => undefined) // a program may end without reading; its exit code counts
  running.child.stdin?.end(input)
  try {
    await running
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause)
    throw new Error(`${name} failed: ${said}`, { cause })
  }
}

/** Tells whether a path exists. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
