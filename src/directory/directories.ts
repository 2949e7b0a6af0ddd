/** The directories of a process: one for each source, opened when it is first used and again when its settings change. */
import { type Directory, type DirectoryOptions, openDirectory } from './directory.ts'
import type { Contact } from './health.ts'
import type { Connections } from './pool.ts'
import type { DirectorySource } from './source.ts'

export type { CallObserver } from './directory.ts'

/** The directories of all sources that this process uses. */
export interface Directories extends AsyncDisposable {
  /** Yields the directory of a source with its present settings. */
  of(source: DirectorySource): Directory
  /** Closes the directory of a deleted source. */
  forget(id: number): void
  /** Lists the state of the directories that were used lately. */
  states(): DirectoryState[]
}

/** The state of a directory, with the id of its source. */
export interface DirectoryState {
  readonly id: number
  readonly isAway: boolean
  readonly contact: Contact
  readonly connections: Connections
}

interface PooledDirectory {
  readonly directory: Directory
  readonly settings: string
  used: number
}

const IDLE_MS = 10 * 60_000

/** Creates an empty set of directories. */
export function openDirectories(options: DirectoryOptions = {}): Directories {
  const now = options.now ?? (() => performance.now())
  const opened = new Map<number, PooledDirectory>()
  const closing = new Set<Promise<void>>()

  return {
    of(source) {
      closeIdle(source.id)
      const settings = JSON.stringify(source)
      const present = opened.get(source.id)
      if (present?.settings === settings) {
        present.used = now()
        return present.directory
      }
      close(source.id)
      const directory = openDirectory(source, options)
      opened.set(source.id, { directory, settings, used: now() })
      return directory
    },
    forget: close,
    states: () =>
      [...opened].map(([id, { directory }]) => ({
        id,
        isAway: directory.isAway(),
        contact: directory.contact(),
        connections: directory.connections(),
      })),
    async [Symbol.asyncDispose]() {
      for (const id of [...opened.keys()]) close(id)
      await Promise.allSettled(closing)
    },
  }

  /** Closes a directory; calls that are under way may finish. */
  function close(id: number): void {
    const directory = opened.get(id)?.directory
    opened.delete(id)
    if (!directory) return
    const closed = Promise.resolve(directory[Symbol.asyncDispose]()).finally(() => closing.delete(closed))
    closing.add(closed)
  }

  /** Closes directories without recent calls; ill ones stay, so that their state is still known. */
  function closeIdle(except: number): void {
    for (const [id, { used, directory }] of opened) {
      if (id !== except && now() - used > IDLE_MS && directory.contact().state !== 'ill') close(id)
    }
  }
}
