import { CompiledQuery } from 'kysely'
import { execute } from './at-once.ts'
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
  hand(tx, new Waiting(text, parameters, take, fail))
  return async () => {
    if (!isSettled) await execute(tx, CompiledQuery.raw(SEND_NOW))
    return promise
  }
}

/**
 * Sends a statement about one row, whose bound values are lists of one, with the next one: their ids first. Where an equal text
 * waits already, its lists take these values, and both rows are written by one statement. When it fails, so does the next one.
 */
export function sendRowWithNext(tx: Db, statement: Sql): void {
  const { sql: text, parameters } = compileSql(statement)
  hand(tx, new WaitingRows(text, parameters))
}

/** Hands a statement to the connection, where it waits. */
function hand(tx: Db, waiting: Waiting): void {
  const handed = execute(tx, CompiledQuery.raw(waiting.text, [waiting])).then(() => undefined, waiting.fail)
  lastHanded.set(tx, handed)
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

/** A statement about rows that waits, and takes those of an equal text. */
class WaitingRows extends Waiting {
  readonly #lists: readonly unknown[][]
  readonly #ids = new Set<unknown>()

  constructor(text: string, parameters: readonly unknown[]) {
    const lists = parameters.map((list) => [list].flat())
    super(text, lists)
    this.#lists = lists
    for (const id of lists[0] ?? []) this.#ids.add(id)
  }

  /** Whether one of these rows is among those of another statement. */
  meets(other: WaitingRows): boolean {
    return [...other.#ids].some((id) => this.#ids.has(id))
  }

  take(other: WaitingRows): void {
    for (const [index, list] of this.#lists.entries()) list.push(...(other.#lists[index] ?? []))
    for (const id of other.#ids) this.#ids.add(id)
  }
}

/** Finds the statement that can take these rows: all that come after it are about rows, too, and about none of these. */
function findTaking(waiting: readonly Waiting[], added: WaitingRows): WaitingRows | undefined {
  for (const one of waiting.toReversed()) {
    if (!(one instanceof WaitingRows) || one.meets(added)) return undefined
    if (one.text === added.text) return one
  }
  return undefined
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
    add(statement) {
      const taking = statement instanceof WaitingRows ? findTaking(waiting, statement) : undefined
      if (taking && statement instanceof WaitingRows) taking.take(statement)
      else waiting.push(statement)
    },
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
