import { Outage } from './failures.ts'
import { compileSql, type Db, rows, type Sql } from './sql.ts'
import { type Ahead, mayTakeForever, type Outcome, type Statement } from './statements.ts'
import { toText } from './values.ts'

// Sending a statement and receiving its answer are system calls, which cost a process more than a small read. So reads of many
// requests that come at the same moment share them (docs/decisions/0045-reads-together.md).

/**
 * Reads rows. Outside of a transaction the statement may be sent together with those of other requests: it changes nothing,
 * locks nothing, and has no other effect, so that it may also be repeated.
 */
export async function readRows<Row>(db: Db, statement: Sql): Promise<Row[]> {
  const share = sharing.get(db)
  if (!share || mayTakeForever()) return rows(db, statement)
  const { sql: text, parameters } = compileSql(statement)
  return (await share({ text, values: parameters.map(toText) })).rows as Row[]
}

/** Sends a read, perhaps together with others, and yields its outcome. */
export type Share = (statement: Statement) => Promise<Outcome>

/** How handles share reads; a transaction is a handle of its own, which shares none. */
const sharing = new WeakMap<Db, Share>()

/** Lets reads of a handle be shared. They take no connection of the handle, and so none of its layers. */
export function shareReads(db: Db, share: Share): void {
  sharing.set(db, share)
}

/** Sends statements on a free connection at once; what the server answers comes with the answer to the last. */
type Send = (last: Statement, ahead: readonly Ahead[]) => Promise<Outcome>

interface Waiting extends Statement {
  readonly succeed: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void
}

/**
 * Creates what sends reads, by which reads of the same moment share a connection. Only those share that were quick when they
 * were sent alone, so that nobody waits for a long statement of somebody else.
 */
export function gatherReads(send: Send): Share {
  const quick = new Set<string>()
  let waiting: Waiting[] = []

  return (statement) => {
    if (!quick.has(statement.text)) return sendAlone(statement)
    // What has arrived at the process by now has been read when this is called.
    if (waiting.length === 0) setImmediate(sendWaiting)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    waiting.push({ ...statement, succeed: resolve, fail: reject })
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

  async function sendTogether(group: readonly Waiting[]): Promise<void> {
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
