/** The files that ssh needs, a key and known hosts, in a private folder that is removed with the run. */
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The files that one execution of ssh needs; disposing of them deletes the folder. */
export interface SshFiles extends AsyncDisposable {
  readonly folder: string
  readonly key: string
  readonly knownHosts: string
  /** The file for ssh's own log, apart from the output of the command. */
  readonly log: string
  /** The beginning of that log; null when it cannot be read. */
  readLog(): Promise<string | null>
}

const PREFIX = 'millwright-ssh-'
const LOG_BYTES = 256 * 1024

/** After so many milliseconds ssh has read its files or failed. */
const NEEDED_MS = 600_000

/** Writes the files. {@throws} the error of the file system */
export async function makeSshFiles(privateKey: string, knownHosts: string): Promise<SshFiles> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX)) // mode 0700
  const files = { key: join(folder, 'key'), knownHosts: join(folder, 'known_hosts'), log: join(folder, 'log') }
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    await writeFile(files.key, endLines(privateKey), { mode: 0o600, flag: 'wx' })
    await writeFile(files.knownHosts, endLines(knownHosts), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, ...files, readLog: () => readBeginning(files.log), [Symbol.asyncDispose]: remove }
}

/** Removes files that killed processes left behind; called at start and from time to time. */
export async function removeForgottenSshFiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(tmpdir(), name)
    const found = await stat(folder).catch(() => null)
    const isForgotten = found?.uid === userInfo().uid && found.mtimeMs < Date.now() - NEEDED_MS
    if (isForgotten) await rm(folder, { recursive: true, force: true })
  }
}

/** Ends every line, also the last one, with a line feed, as OpenSSH needs it. */
function endLines(text: string): string {
  return `${text.replace(/\r\n?/g, '\n').trimEnd()}\n`
}

async function readBeginning(file: string): Promise<string | null> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOG_BYTES), 0, LOG_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return null
  }
}
