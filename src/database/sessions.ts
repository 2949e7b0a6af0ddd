import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { protocol } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { Failure } from '../errors.ts'
import { diskFull, isOfFiles, Outage, toDatabaseError, toOutage } from './failures.ts'
import type { Parsed } from './messages.ts'
import type { Outages } from './outages.ts'
import type { Storage } from './start-pglite.ts'
import { mayTakeForever } from './statements.ts'
import { type DatabaseThread, openThread, ThreadEnded } from './thread.ts'

/** A session of the embedded database, which lasts as long as the thread that it runs in. */
export interface Session {
  /** Sends messages of PostgreSQL's protocol and yields the answers. {@throws} the first error that PostgreSQL reports */
  readonly send: (messages: Uint8Array) => Promise<Message[]>
  /** What this session has parsed. */
  readonly parsed: Parsed
}

/** The sessions of an embedded database, of which one is open at a time. */
export interface Sessions {
  /**
   * Yields the open session, and waits while the next one is being opened. {@throws Failure} 'unavailable' when there is
   * none
   */
  current(): Promise<Session>
  /** {@throws Outage} while the files cannot be written to; reading may go on */
  refuseWhileReadOnly(): void
  /** Counts the sessions that have ended. */
  ended(): number
  /** Yields an image of the data directory. */
  image(): Promise<Blob>
  close(): Promise<void>
}

interface Options {
  readonly storage: Storage
  readonly statementTimeoutMs: number
  readonly log: Logger
  readonly outages: Outages
  readonly onNotification: (channel: string, payload: string) => void
  /** Lists the channels that a new session has to listen to. */
  readonly channels: () => Iterable<string>
  /** Called when a session has ended, and again when the next one listens: notifications may have been missed. */
  readonly onLost: () => void
}

type Message = Parameters<Parameters<protocol.Parser['parse']>[1]>[0]

/**
 * Opens the database in a thread, and again whenever the thread ends: at the time limit of a statement, or by a fault. What
 * was committed is in the files then; a database in memory is lost. While the files cannot be written to, the thread goes on
 * reading; once they can, a new one replaces it, because the old one remembers files that it could not create.
 */
export async function openSessions(options: Options): Promise<Sessions> {
  const { storage, log, outages, onLost } = options
  let ended = 0
  let closing = false
  let isUnsound = false
  let thread = await openThread(storage)
  let session = Promise.resolve(openSession(thread, options, noticeFiles))
  void thread.ended.then(replace)
  return {
    current: () => session,
    refuseWhileReadOnly() {
      if (isUnsound && 'directory' in storage) throw createUnusableFiles(storage.directory, null)
    },
    ended: () => ended,
    image: () => thread.image(),
    async close() {
      closing = true
      await session.catch(() => undefined)
      await thread.close()
    },
  }

  function replace(reason: ThreadEnded): void {
    if (closing) return
    ended++
    log.info({ reason: reason.message }, 'embedded database ended') // the statement that it leaves without an answer is logged as an outage
    isUnsound = false
    use('directory' in storage ? reopen() : Promise.reject(new Failure('unavailable', MEMORY_LOST)))
    onLost()
  }

  function noticeFiles(failure: Outage): void {
    if (isUnsound) return
    isUnsound = true
    lookAgain(failure)
  }

  function lookAgain(failure: Outage): void {
    if (closing || !isUnsound) return
    outages.notice(failure)
    if (!('directory' in storage) || canWrite(storage.directory)) void thread.end('It could not use its files')
    else setTimeout(lookAgain, RETRY_MS, failure).unref()
  }

  function use(next: Promise<Session>): void {
    next.catch(() => undefined) // the error reaches whoever asks for the session
    session = next
  }

  async function reopen(): Promise<Session> {
    const start = performance.now()
    try {
      thread = await openThread(storage)
      const next = openSession(thread, options, noticeFiles)
      for (const channel of options.channels()) await next.send(listenTo(channel))
      void thread.ended.then(replace)
      log.info({ milliseconds: Math.round(performance.now() - start) }, 'embedded database opened again')
      onLost()
      return next
    } catch (error) {
      setTimeout(() => closing || use(reopen()), RETRY_MS).unref()
      throw outages.notice(createUnavailable(error, storage))
    }
  }
}

function openSession(
  thread: DatabaseThread,
  { storage, statementTimeoutMs, onNotification }: Options,
  noticeFiles: (failure: Outage) => void,
): Session {
  return {
    parsed: new Map(),
    async send(messages) {
      const answers: Message[] = []
      const parser = new protocol.Parser()
      const limitMs = mayTakeForever() ? Number.POSITIVE_INFINITY : statementTimeoutMs
      await thread
        .exchange(messages, limitMs, (part) => parser.parse(part, (message) => void answers.push(message)))
        .catch((error: unknown) => {
          throw createUnavailable(error, storage)
        })
      for (const answer of answers) {
        if (answer instanceof protocol.messages.NotificationResponseMessage) {
          onNotification(answer.channel, answer.payload)
        }
      }
      const refused = answers.find((answer) => answer instanceof protocol.messages.DatabaseError)
      if (!refused) return answers
      const reported = toDatabaseError(refused)
      if (!reported) throw refused
      if (!('directory' in storage) || !isOfFiles(reported)) throw toOutage(reported) ?? refused
      const failure = createUnusableFiles(storage.directory, refused)
      noticeFiles(failure)
      throw failure
    },
  }
}

function listenTo(channel: string): Uint8Array {
  return protocol.serialize.query(`listen "${channel}"`)
}

function createUnavailable(cause: unknown, storage: Storage): Failure {
  const limitMs = cause instanceof ThreadEnded ? cause.limitMs : null
  if (limitMs === null && 'directory' in storage && lacksRoom(storage.directory))
    return diskFull(cause, storage.directory)
  if (limitMs === null && 'directory' in storage && !canWrite(storage.directory))
    return createUnusableFiles(storage.directory, cause)
  if (limitMs === null) return new Outage('The database cannot be reached', cause)
  const message = `The database stopped a statement that ran longer than ${limitMs} ms`
  return new Failure('unavailable', message, {}, { cause })
}

function createUnusableFiles(directory: string, cause: unknown): Outage {
  const message = `The database cannot write to its files in ${directory}: the disk is read-only or broken. Once it can be written to, the service goes on by itself`
  return new Outage(message, cause, true)
}

/** Tries to write: a file system that became read-only after a fault may still claim to be writable. */
function canWrite(directory: string): boolean {
  const path = join(directory, 'probe')
  try {
    closeSync(openSync(path, 'w', 0o600))
    rmSync(path)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  }
}

/** Tells whether the disk lacks room for the next file of the log, which would end the database. */
function lacksRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < LOG_FILE_BYTES
  } catch {
    return false // the folder is gone, which is reported elsewhere
  }
}

const LOG_FILE_BYTES = 16 * 1024 * 1024
const RETRY_MS = 1000
const MEMORY_LOST =
  'The database was kept in memory and has ended: start the service again, which begins with an empty one'
