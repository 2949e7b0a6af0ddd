import { statfsSync } from 'node:fs'
import { type parse, protocol } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { Failure } from '../errors.ts'
import { DISK_FULL, diskFull } from './failures.ts'
import type { Storage } from './start-pglite.ts'
import { mayTakeForever } from './statements.ts'
import { type DatabaseThread, openThread, ThreadEnded } from './thread.ts'

/** A session of the embedded database, which lasts as long as the thread that it runs in. */
export interface Session {
  /** Sends messages of PostgreSQL's protocol and yields the answers. {@throws} the first error that PostgreSQL reports */
  readonly send: (messages: Uint8Array) => Promise<Message[]>
  /** Names of the statements that this session has parsed. */
  readonly parsed: Set<string>
}

/** The sessions of an embedded database, of which one is open at a time. */
export interface Sessions {
  /**
   * Yields the open session, and waits while the next one is being opened. {@throws Failure} 'unavailable' when there is
   * none
   */
  current(): Promise<Session>
  /** Counts the sessions that have ended. */
  ended(): number
  image(): Promise<Blob>
  close(): Promise<void>
}

interface Options {
  readonly storage: Storage
  readonly statementTimeoutMs: number
  readonly log: Logger
  readonly onNotification: (channel: string, payload: string) => void
  /** Lists the channels that a new session has to listen to. */
  readonly channels: () => Iterable<string>
  /** Called when a session has ended, and again when the next one listens: notifications may have been missed. */
  readonly onLost: () => void
}

type Message = Parameters<typeof parse.parseResults>[0][number]

/**
 * Opens the database in a thread, and again whenever the thread ends: at the time limit of a statement, or by a fault. What
 * was committed is in the files then; a database in memory is lost.
 */
export async function openSessions(options: Options): Promise<Sessions> {
  const { storage, log, onLost } = options
  let ended = 0
  let closing = false
  let thread = await openThread(storage)
  let session = Promise.resolve(sessionOn(thread, options))
  void thread.ended.then(replace)
  return {
    current: () => session,
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
    log.error({ reason: reason.message }, 'embedded database ended')
    use('directory' in storage ? reopened() : Promise.reject(new Failure('unavailable', MEMORY_LOST)))
    onLost()
  }

  function use(next: Promise<Session>): void {
    next.catch(() => undefined) // the error reaches whoever asks for the session
    session = next
  }

  async function reopened(): Promise<Session> {
    const start = performance.now()
    try {
      thread = await openThread(storage)
      const next = sessionOn(thread, options)
      for (const channel of options.channels()) await next.send(listenTo(channel))
      void thread.ended.then(replace)
      log.info({ milliseconds: Math.round(performance.now() - start) }, 'embedded database opened again')
      onLost()
      return next
    } catch (error) {
      log.error({ err: error }, 'embedded database cannot be opened again')
      setTimeout(() => closing || use(reopened()), RETRY_MS).unref()
      throw unavailable(error, storage)
    }
  }
}

function sessionOn(thread: DatabaseThread, { storage, statementTimeoutMs, onNotification }: Options): Session {
  return {
    parsed: new Set(),
    async send(messages) {
      const answers: Message[] = []
      const parser = new protocol.Parser()
      const limitMs = mayTakeForever() ? Number.POSITIVE_INFINITY : statementTimeoutMs
      await thread
        .exchange(messages, limitMs, (part) => parser.parse(part, (message) => void answers.push(message)))
        .catch((error: unknown) => {
          throw unavailable(error, storage)
        })
      for (const answer of answers) {
        if (answer instanceof protocol.messages.NotificationResponseMessage) {
          onNotification(answer.channel, answer.payload)
        }
      }
      const refused = answers.find((answer) => answer instanceof protocol.messages.DatabaseError)
      if (refused) throw refused.code === DISK_FULL ? diskFull(refused) : refused
      return answers
    },
  }
}

function listenTo(channel: string): Uint8Array {
  return protocol.serialize.query(`listen "${channel}"`)
}

function unavailable(cause: unknown, storage: Storage): Failure {
  const limitMs = cause instanceof ThreadEnded ? cause.limitMs : null
  if (limitMs === null && 'directory' in storage && lacksRoom(storage.directory))
    return diskFull(cause, storage.directory)
  const message =
    limitMs === null
      ? 'The database cannot be reached'
      : `The database stopped a statement that ran longer than ${limitMs} ms`
  return new Failure('unavailable', message, {}, { cause })
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
