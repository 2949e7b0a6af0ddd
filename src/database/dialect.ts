import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import { BEGIN, createQueue, SEND_NOW, Waiting } from './ahead.ts'
import type { Outcome, Run } from './statements.ts'
import { toText } from './values.ts'

/** Builds Kysely's PostgreSQL dialect over connections of either database, which `acquire` provides. */
export function createDialect(acquire: () => Promise<PostgresPoolClient>, end: () => Promise<void>): PostgresDialect {
  return new PostgresDialect({ pool: { options: {}, connect: acquire, end } })
}

/**
 * Wraps one connection for the dialect; bound values are converted to text. What begins a transaction, and what need not be
 * answered before the next statement, is sent with that one (`sendWithNext`).
 */
export function createConnection(run: Run, release: (destroy?: boolean) => void): PostgresPoolClient {
  const queue = createQueue(toText)
  // The dialect passes a cursor to `query` only when one is configured, which is not the case.
  return {
    release: (destroy) => {
      queue.drop()
      release(destroy)
    },
    query: query as PostgresPoolClient['query'],
  }

  async function query(text: string, parameters: readonly unknown[]): Promise<Outcome> {
    const [first] = parameters
    if (text === BEGIN) return wait(new Waiting(text, []))
    if (first instanceof Waiting) {
      if (queue.size() >= MOST_WAITING) await send(SEND_NOW, [])
      return wait(first)
    }
    // A transaction that has not begun needs no end; what is undone need not be done.
    if (UNDOES.test(text) && queue.drop()) return { command: 'ROLLBACK', rowCount: null, rows: [] }
    if (text === 'commit' && queue.size() === 1 && queue.isBegin()) {
      queue.drop()
      return { command: 'COMMIT', rowCount: null, rows: [] }
    }
    // Several statements in one text cannot be sent with others.
    if (queue.size() > 0 && parameters.length === 0 && text.includes(';')) await send(SEND_NOW, [])
    return send(text, parameters)
  }

  function wait(statement: Waiting): Outcome {
    queue.add(statement)
    return { command: undefined, rowCount: null, rows: [] }
  }

  async function send(text: string, parameters: readonly unknown[]): Promise<Outcome> {
    const ahead = queue.take()
    try {
      return await run(text, parameters.map(toText), ahead)
    } catch (error) {
      for (const { fail } of ahead) fail(error)
      throw error
    }
  }
}

const UNDOES = /^rollback\b/
/** So many statements wait at most: their texts and values are in memory. */
const MOST_WAITING = 100
