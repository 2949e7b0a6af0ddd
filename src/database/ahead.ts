import { CompiledQuery } from 'kysely'
import { compileSql, type Db, rows, type Sql } from './sql.ts'
import type { Ahead, Outcome } from './statements.ts'

/**
 * Sends a statement of a transaction together with the next one, whatever that is, so that both take one round trip. When it
 * fails, so does the next one, with its error. Yields a function that yields its rows, to be called after the next statement.
 * Outside of a transaction the statement is sent at once.
 */
export function sendWithNext<Row>(tx: Db, statement: Sql): () => Promise<Row[]> {
  if (!tx.isTransaction) {
    const found = rows<Row>(tx, statement)
    return () => found
  }
  const { sql: text, parameters } = compileSql(statement)
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
  promise.catch(() => undefined) // the next statement fails as well, and nobody may ask for these rows
  let isSettled = false
  const take = ({ rows: found }: Outcome) => {
    isSettled = true
    resolve(found as Row[])
  }
  const fail = (error: unknown) => {
    isSettled = true
    reject(error)
  }
  const handed = tx.executeQuery(CompiledQuery.raw(text, [new Waiting(text, parameters, take, fail)]))
  lastHanded.set(
    tx,
    handed.then(() => undefined, fail),
  )
  return async () => {
    if (!isSettled) await tx.executeQuery(CompiledQuery.raw(SEND_NOW))
    return promise
  }
}

const lastHanded = new WeakMap<Db, Promise<void>>()

/**
 * Resolves once all statements that are to be sent with the next one are where that goes: what ends a transaction would overtake
 * those that are on their way.
 */
export async function waitUntilHanded(tx: Db): Promise<void> {
  await lastHanded.get(tx)
}

/** A statement that does nothing: it is sent to have the waiting statements sent. */
export const SEND_NOW = 'select'

/** A statement that waits for the next one of its connection. It reaches the connection as the only bound value. */
export class Waiting {
  readonly text: string
  readonly parameters: readonly unknown[]
  readonly succeed: (outcome: Outcome) => void
  readonly fail: (error: unknown) => void

  constructor(
    text: string,
    parameters: readonly unknown[],
    succeed: (outcome: Outcome) => void = () => undefined,
    fail: (error: unknown) => void = () => undefined,
  ) {
    this.text = text
    this.parameters = parameters
    this.succeed = succeed
    this.fail = fail
  }
}

/** The statements that wait on one connection, in their order. */
export interface Queue {
  /** The number of statements that wait. */
  readonly size: () => number
  readonly add: (statement: Waiting) => void
  /** Takes all of them, to be sent. */
  readonly take: () => readonly (Ahead & Pick<Waiting, 'fail'>)[]
  /** Whether the first of them begins the transaction. */
  readonly isBegin: () => boolean
  /** Forgets all of them, because what they belong to is undone. True where the transaction had not even begun. */
  readonly drop: () => boolean
}

/** Creates the queue of a connection; values are converted by `toText`. */
export function createQueue(toText: (value: unknown) => string | null): Queue {
  let waiting: Waiting[] = []
  return {
    size: () => waiting.length,
    isBegin: () => waiting[0]?.text === BEGIN,
    add: (statement) => void waiting.push(statement),
    take() {
      const taken = waiting
      waiting = []
      return taken.map(({ text, parameters, succeed, fail }) => ({
        text,
        values: parameters.map(toText),
        succeed,
        fail,
      }))
    },
    drop() {
      const dropped = waiting
      waiting = []
      for (const { fail } of dropped) fail(new Error('undone before it was sent'))
      return dropped[0]?.text === BEGIN
    },
  }
}

/** The statement that begins a transaction; it is sent with the first statement of the transaction. */
export const BEGIN = 'begin'
