import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { spawn, spawnSync } from './processes.ts'

/** Root mounts as itself; anybody else as the root of a namespace of users, where the machine allows that. */
const NAMESPACE = process.getuid?.() === 0 ? '-m' : '-rm'

/** Whether disks can be mounted where nobody else sees them. Without that a line says what is skipped, and CI fails. */
export function canMount(what: string): boolean {
  if (spawnSync('unshare', [NAMESPACE, 'mount', '-t', 'tmpfs', 'none', '/mnt'], {}).status === 0) return true
  const missing = `${what}: this takes a mount namespace of one's own`
  if (process.env.CI === 'true') throw new Error(missing)
  console.log(`skipped: ${missing}`)
  return false
}

/** A disk of its own at a directory, which only those see whose commands go through `enter`. */
export interface Disk extends AsyncDisposable {
  /** What runs a command on it, as the account that has the directory. */
  readonly enter: readonly string[]
  /** A path on it as others see it. */
  outside(path: string): string
}

/** Puts what is in a directory on a disk of so many MiB. */
export async function mountDisk(
  directory: string,
  mebibytes: number,
  account: { readonly uid: number; readonly gid: number } | null,
): Promise<Disk> {
  const owner = account ? `,uid=${account.uid},gid=${account.gid}` : ''
  const script = `mv "$0" "$0.made" && mkdir "$0" && mount -t tmpfs -o size=${mebibytes}m,mode=700${owner} tmpfs "$0" &&
    cp -a "$0.made/." "$0" && echo mounted && exec sleep infinity`
  const keeper = spawn('unshare', [NAMESPACE, 'sh', '-c', script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await Promise.race([once(keeper.stdout, 'data'), once(keeper, 'exit')])
  if (!String(said[0]).includes('mounted')) throw new Error(`a disk could not be mounted at ${directory}: ${said[0]}`)
  const inside = ['nsenter', '-t', String(keeper.pid), '-m']
  return {
    enter: account
      ? [...inside, 'setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
      : [...inside, '-U', '--preserve-credentials', 'unshare', '-U', '--map-user=1000', '--map-group=1000'],
    outside: (path) => join(`/proc/${keeper.pid}/root`, path),
    async [Symbol.asyncDispose]() {
      if (keeper.exitCode !== null || keeper.signalCode !== null) return
      keeper.kill('SIGKILL')
      await once(keeper, 'exit')
    },
  }
}

/** Makes a file that leaves no room on its disk. */
export function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [1 << 20, 1 << 12]) writeUntilFull(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  for (;;) {
    try {
      if (writeSync(file, bytes) < bytes.length) return
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}
