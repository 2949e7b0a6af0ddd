import type { Outcome, Sql } from '../sql.ts'
import type { AuditCall } from './audit-call.ts'
import type { Db } from './db.ts'
import type { QueuedStatement, StatementRunner } from './statements.ts'
import { toText } from './value-types.ts'

/** A connection that a transaction has for itself. */
export interface ConnectionLease {
  readonly run: StatementRunner
  /** Gives it back; a broken one is closed. */
  readonly release: (isBroken: boolean) => void
}

/** So many statements wait at most: their texts and values are in memory. */
const MOST_WAITING = 100
/** A statement that does nothing: it is sent to have the waiting statements sent. */
const SEND_NOW = 'select'
const UNDOES = /^rollback\b/

/**
 * A transaction. It acquires a connection with its first statement and begins with it. Statements whose answer can wait
 * are sent together with the next one.
 */
export class Transaction implements Db {
  readonly isTransaction = true
  waitingAudits: AuditCall[] | null = null
  readonly #lease: () => Promise<ConnectionLease>
  #leased: Promise<ConnectionLease> | null = null
  #waiting: QueuedStatement[]
  #isOver = false
  #failure: unknown = null

  constructor(begin: string, lease: () => Promise<ConnectionLease>) {
    this.#lease = lease
    this.#waiting = [createWaiting({ text: begin, values: [] })]
  }

  async execute(statement: Sql): Promise<Outcome> {
    const { text, values } = statement.compile()
    // What is undone need not be done.
    if (UNDOES.test(text)) this.#drop()
    // Several statements in one text cannot be sent with others.
    if (this.#waiting.length > 0 && values.length === 0 && text.includes(';')) await this.#send(SEND_NOW, [])
    return this.#send(text, values)
  }

  read(statement: Sql): Promise<Outcome> {
    return this.execute(statement)
  }

  enqueue<Row>(statement: Sql): () => Promise<Row[]> {
    this.#refuseWhenOver()
    const waiting = createWaiting(statement.compile())
    this.#waiting.push(waiting)
    if (this.#waiting.length > MOST_WAITING)
      void this.#send(SEND_NOW, []).catch((error) => {
        this.#failure ??= error
      })
    return async () => {
      if (this.#waiting.includes(waiting)) await this.#send(SEND_NOW, [])
      return (await waiting.outcome).rows as Row[] // whoever writes a statement knows its columns
    }
  }

  transaction(): never {
    throw new Error('A transaction is within another one: use a savepoint')
  }

  readSnapshot(): never {
    return this.transaction()
  }

  /** Ends it. One that has run no statement has not begun. {@throws Error} when a statement has failed, so that nothing is stored */
  async commit(): Promise<void> {
    if (this.#leased || this.#waiting.length > 1) {
      const { command } = await this.#send('commit', [], true).catch((error) => {
        this.#isOver = false // to be undone
        throw error
      })
      if (command === 'ROLLBACK') {
        await this.#end(false)
        throw this.#failure ?? new Error('A statement of the transaction has failed')
      }
    }
    await this.#end(false)
  }

  /** Undoes it. */
  async rollback(): Promise<void> {
    if (this.#isOver) return
    this.#drop()
    if (!this.#leased) return this.#end(false)
    try {
      await this.#send('rollback', [], true)
      await this.#end(false)
    } catch {
      await this.#end(true) // a broken connection has undone everything
    }
  }

  #drop(): void {
    for (const { fail } of this.#waiting.splice(0)) fail(new Error('undone before it was sent'))
  }

  async #end(isBroken: boolean): Promise<void> {
    this.#isOver = true
    const leased = await this.#leased?.catch(() => null)
    leased?.release(isBroken)
  }

  /** Sends a statement with those that wait. After the last one, which ends the transaction, no other is accepted. */
  async #send(text: string, values: readonly unknown[], isLast = false): Promise<Outcome> {
    this.#refuseWhenOver()
    const bound = values.map(toText) // throws for values that cannot be sent, before the waiting ones are taken
    this.#isOver = isLast
    const ahead = this.#waiting.splice(0)
    try {
      this.#leased ??= this.#lease()
      const { run } = await this.#leased
      return await run(text, bound, ahead)
    } catch (error) {
      for (const { fail } of ahead) fail(error)
      throw error
    }
  }

  #refuseWhenOver(): void {
    if (this.#isOver) throw new Error('The transaction is over')
  }
}

function createWaiting({
  text,
  values,
}: {
  readonly text: string
  readonly values: readonly unknown[]
}): QueuedStatement {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  promise.catch(() => undefined) // the next statement fails as well, and nobody may ask for this outcome
  return { text, values: values.map(toText), outcome: promise, succeed: resolve, fail: reject }
}
