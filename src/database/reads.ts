import type { Outcome, Sql } from '../sql.ts'
import type { Db } from './db.ts'
import { Outage } from './failures.ts'
import type { AheadStatement, QueuedStatement, Statement } from './statements.ts'

// Sending a statement and receiving its answer are system calls, which cost a process more than a small read. So reads of many
// requests that come at the same moment share them (docs/decisions/0045-reads-together.md).

/** Reads rows, perhaps together with other requests (`Db.read`). */
export async function readRows<Row>(db: Db, statement: Sql): Promise<Row[]> {
  return (await db.read(statement)).rows as Row[] // whoever writes a statement knows its columns
}

/** Sends statements on a free connection at once; what the server answers comes with the answer to the last. */
type Send = (last: Statement, ahead: readonly AheadStatement[]) => Promise<Outcome>

/**
 * Creates what sends reads, by which reads of the same moment share a connection. Only those share that were quick when they
 * were sent alone, so that nobody waits for a long statement of somebody else.
 */
export function gatherReads(send: Send): (statement: Statement) => Promise<Outcome> {
  const quick = new Set<string>()
  let waiting: QueuedStatement[] = []

  return (statement) => {
    if (!quick.has(statement.text)) return sendAlone(statement)
    // What has arrived at the process by now has been read when this is called.
    if (waiting.length === 0) setImmediate(sendWaiting)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    waiting.push({ ...statement, succeed: resolve, fail: reject, outcome: promise })
    return promise
  }

  async function sendAlone(statement: Statement): Promise<Outcome> {
    const start = performance.now()
    const outcome = await send(statement, [])
    if (performance.now() - start > QUICK_MS) return outcome
    if (quick.size >= MOST_QUICK) quick.clear()
    quick.add(statement.text)
    return outcome
  }

  function sendWaiting(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += MOST_TOGETHER) void sendTogether(all.slice(at, at + MOST_TOGETHER))
  }

  async function sendTogether(group: readonly QueuedStatement[]): Promise<void> {
    const last = group.at(-1)
    if (!last) return
    const start = performance.now()
    try {
      last.succeed(await send(last, group.slice(0, -1)))
    } catch (error) {
      // Where the database is away, asking again would only make everybody wait once more.
      if (group.length === 1 || error instanceof Outage) for (const { fail } of group) fail(error)
      // The server stops at the first that fails: alone, each has its own outcome.
      else for (const one of group) sendAlone(one).then(one.succeed, one.fail)
    }
    // One of them has become slow; each is measured again, alone.
    if (performance.now() - start > QUICK_MS) for (const { text } of group) quick.delete(text)
  }
}

/** Milliseconds until a quick read is answered. */
const QUICK_MS = 20
/** So many reads share a connection at most: the server does one after the other. */
const MOST_TOGETHER = 8
/** So many texts are remembered at most. */
const MOST_QUICK = 1000
