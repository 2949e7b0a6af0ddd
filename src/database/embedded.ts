import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Failure } from '../errors.ts'
import { keepLogShort } from './checkpoints.ts'
import type { Database, DatabaseConfig } from './database.ts'
import { openHandle } from './handle.ts'
import type { Listener } from './listen.ts'
import { lockDirectory } from './lock.ts'
import { tellOutages } from './outages.ts'
import { createPgliteDialect } from './pglite.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { measurePing } from './sql.ts'
import type { Storage } from './start-pglite.ts'
import type { Run } from './statements.ts'
import { discardUnfinished, prepareDirectory } from './template.ts'

/** Opens the embedded database: PostgreSQL in a thread of this process, in a locked directory or in memory. */
export async function connectEmbedded(
  config: DatabaseConfig,
  observe: (run: Run) => Run,
  log: Logger,
): Promise<Database> {
  const outages = tellOutages(log)
  const listeners = new Map<string, Listener[]>()
  const open = (storage: Storage) =>
    openSessions({
      storage,
      log,
      outages,
      statementTimeoutMs: config.statementTimeoutMs,
      channels: () => listeners.keys(),
      onNotification: (channel, payload) => {
        for (const { onMessage } of listeners.get(channel) ?? []) onMessage(payload)
      },
      onLost: () => {
        for (const { onLost } of [...listeners.values()].flat()) onLost()
      },
    })
  const { sessions, release } = await (config.dataDir === 'memory'
    ? openInMemory(config.image, open)
    : openInDirectory(config, open))
  const db = await openHandle(
    createPgliteDialect(sessions.current, sessions.close, (run) => outages.watched(observe(run))),
    sessions,
  )
  const checkpoints = config.dataDir === 'memory' ? null : keepLogShort(db, log)
  return {
    kind: 'pglite',
    db,
    async listen(channel, onMessage, onLost = () => undefined) {
      // Messages arrive while the sender still holds its connection; listeners are called outside of the sender's async
      // context.
      const outside = AsyncLocalStorage.snapshot()
      const listener: Listener = {
        onMessage: (payload) => outside(() => setImmediate(onMessage, payload)),
        onLost: () => outside(() => setImmediate(onLost)),
      }
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      await sql`listen ${sql.id(channel)}`.execute(db)
    },
    refuseWhileReadOnly: sessions.refuseWhileReadOnly,
    ping: () => measurePing(db),
    connections: () => ({ total: 1, idle: 0, waiting: 0 }),
    image: () => sessions.image(),
    async [Symbol.asyncDispose]() {
      checkpoints?.[Symbol.dispose]()
      await db.destroy()
      release()
    },
  }
}

interface Opened {
  readonly sessions: Sessions
  readonly release: () => void
}

async function openInMemory(image: Blob | undefined, open: (storage: Storage) => Promise<Sessions>): Promise<Opened> {
  return { sessions: await open({ image: image ? await image.arrayBuffer() : null }), release: () => undefined }
}

async function openInDirectory(
  { dataDir, fsync, migrations }: DatabaseConfig,
  open: (storage: Storage) => Promise<Sessions>,
): Promise<Opened> {
  const lock = await lockDirectory(dataDir)
  try {
    const { directory, finish } = await prepareDirectory(dataDir, { fsync, migrations })
    const sessions = await open({ directory, fsync })
    await finish()
    return { sessions, release: () => lock[Symbol.dispose]() }
  } catch (cause) {
    await discardUnfinished(dataDir).catch(() => undefined) // otherwise the next start discards it
    lock[Symbol.dispose]()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Failure('unavailable', `The database in ${dataDir} cannot be started: ${reason}`, {}, { cause })
  }
}
