import { isUtf8 } from 'node:buffer'
import { constants, type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { UnreadableReference } from './unreadable-reference.ts'

/** The most bytes of a secret. */
export const MOST_BYTES = 64 * 1024

/**
 * Reads a file of the directory of secrets, without the newline at its end. Links within the directory are followed, because
 * orchestrators replace files by links. {@throws UnreadableReference}
 */
export async function readSecretFile(directory: string, name: string): Promise<string> {
  const path = await findInside(directory, name)
  // The path has no links now: a link that appears meanwhile is not followed.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(refuse)
  try {
    return await readText(file)
  } catch (error) {
    return refuse(error)
  } finally {
    await file.close()
  }
}

async function findInside(directory: string, name: string): Promise<string> {
  const root = await realpath(directory).catch(refuse)
  const path = await realpath(join(root, name)).catch(refuse)
  if (!path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) throw new UnreadableReference('outside')
  return path
}

async function readText(file: FileHandle): Promise<string> {
  if (!(await file.stat()).isFile()) throw new UnreadableReference('unreadable', 'it is not a regular file')
  const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(MOST_BYTES + 1), position: 0 })
  if (bytesRead > MOST_BYTES) throw new UnreadableReference('too_large')
  const bytes = buffer.subarray(0, bytesRead)
  if (!isUtf8(bytes) || bytes.includes(0)) throw new UnreadableReference('not_text')
  return bytes.toString('utf8').replace(/\r?\n$/, '')
}

function refuse(error: unknown): never {
  if (error instanceof UnreadableReference) throw error
  const { code = '' } = error as NodeJS.ErrnoException // errors of the file system have codes
  throw new UnreadableReference(code === 'ENOENT' || code === 'ENOTDIR' ? 'no_file' : 'unreadable', code, error)
}
