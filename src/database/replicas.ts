import type { Logger } from 'pino'
import type { ServerConfig } from './connections.ts'
import { type Look, openReplica, type Position, readPosition } from './replica.ts'
import { shareNext } from './share-next.ts'
import type { Db } from './sql.ts'
import type { Run } from './statements.ts'

/** How often a replica was checked, by result. */
export interface ReplicaUse {
  readonly replica: string
  readonly looks: ReadonlyMap<Look, number>
}

/** The standby servers that follow the primary. */
export interface Replicas extends AsyncDisposable {
  /** Yields a replica that has everything that was acknowledged to anybody; null where there is none now. */
  pick(): Promise<Db | null>
  uses(): readonly ReplicaUse[]
}

/**
 * Opens the replicas of a cluster. One is read from only when it has replayed the log up to the position that the primary
 * had after the request arrived, so that a client sees every write that was acknowledged before, by any process (decision
 * 0032).
 */
export async function openReplicas(
  urls: readonly string[],
  config: ServerConfig,
  primary: Db,
  observe: (run: Run) => Run,
  log: Logger,
): Promise<Replicas> {
  const replicas = await Promise.all(urls.map((url) => openReplica({ ...config, url }, observe, log)))
  const looks = replicas.map(() => new Map<Look, number>())
  const position = shareNext(() => readPosition(primary))
  let turn = 0
  let isTold = false
  return {
    async pick() {
      if (replicas.length === 0) return null
      const wanted = await position().catch(noteFailure)
      if (wanted === null) return null
      isTold = false
      turn++
      for (let at = 0; at < replicas.length; at++) {
        const db = await look((turn + at) % replicas.length, wanted)
        if (db) return db
      }
      return null
    },
    uses: () => replicas.map(({ name }, at) => ({ replica: name, looks: looks[at] ?? new Map() })),
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()))
    },
  }

  /** Null makes the caller read from the primary itself, which reports the error if it is unreachable. */
  function noteFailure(err: unknown): null {
    if (!isTold) log.warn({ err }, 'no replica is read from: how far the primary is cannot be asked')
    isTold = true
    return null
  }

  async function look(at: number, wanted: Position): Promise<Db | null> {
    const replica = replicas[at]
    if (!replica) return null
    const found = await replica.look(wanted)
    looks[at]?.set(found, (looks[at].get(found) ?? 0) + 1)
    return found === 'reached' ? replica.db : null
  }
}
