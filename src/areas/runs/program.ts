import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { homedir } from 'node:os'

/** The folders in which this service, and what its runs start, look for programs. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Builds the environment of processes of runs: no other variables of the service are passed on. */
export function buildProcessEnvironment(): Record<string, string> {
  return { PATH, LANG: 'C.UTF-8', HOME: homedir() }
}

/** Locates a program: an absolute path as it is, other names in the usual folders. */
export async function locateProgram(name: string): Promise<{ readonly path: string } | 'missing' | 'not executable'> {
  const isPath = name.includes('/')
  if (name === '' || name.includes('\0') || (isPath && !name.startsWith('/'))) return 'missing'
  let found: 'missing' | 'not executable' = 'missing'
  for (const path of isPath ? [name] : PATH.split(':').map((folder) => `${folder}/${name}`)) {
    const file = await stat(path).catch(() => null)
    if (!file) continue
    if (file.isFile() && (await isExecutable(path))) return { path }
    found = 'not executable'
  }
  return found
}

/**
 * The command, wrapped so that the kernel ends it (SIGTERM) when the service ends, even by kill -9; unchanged where
 * that is not available.
 */
export function withServiceLifetime(command: readonly string[]): readonly string[] {
  return existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM', '--', ...command] : command
}

const SETPRIV = '/usr/bin/setpriv'

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
