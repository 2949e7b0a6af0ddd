/** A small pool of connections shared by all requests to one directory; when all are busy, requests wait in a queue. */
import type { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { DirectoryError } from './errors.ts'

/** A connection that one request has to itself until it gives it back. */
export interface Lease {
  readonly connection: Connection
  /** Whether it has served another request, so that the server may have closed it meanwhile. */
  readonly reused: boolean
}

interface Waiter {
  /** Called with a connection, or with null when there is room to open one. */
  readonly wake: (connection: Connection | null) => void
  readonly refuse: (error: Error) => void
}

/** The number of connections of each kind, and of requests that wait for one. */
export interface Connections {
  readonly idle: number
  readonly busy: number
  readonly waiting: number
}

const IDLE_MS = 30_000

/** The connections of one kind to one directory. */
export class Pool implements Disposable {
  readonly #open: (limit: Deadline) => Promise<Connection>
  readonly #size: number
  readonly #idle: { connection: Connection; timer: NodeJS.Timeout }[] = []
  readonly #leased = new Set<Connection>()
  readonly #waiters: Waiter[] = []
  #count = 0
  #shut = false

  constructor(size: number, open: (limit: Deadline) => Promise<Connection>) {
    this.#size = size
    this.#open = open
  }

  /** Takes a connection, waits for one, or opens one; with `fresh` only one that was not used before. */
  async acquire(limit: Deadline, fresh = false): Promise<Lease> {
    if (this.#shut) throw shut()
    if (fresh) this.#dropIdle()
    const idle = this.#takeIdle()
    const lease = idle ? { connection: idle, reused: true } : await this.#another(limit)
    this.#leased.add(lease.connection)
    return lease
  }

  /** Gives a connection back; a broken one makes room for another. */
  release(connection: Connection): void {
    this.#leased.delete(connection)
    if (!connection.open || this.#shut) {
      connection.close()
      this.#leave()
      return
    }
    const waiter = this.#waiters.shift()
    if (waiter) {
      waiter.wake(connection)
      return
    }
    const entry = { connection, timer: setTimeout(() => this.#expire(entry), IDLE_MS).unref() }
    this.#idle.push(entry)
  }

  /** Counts connections; those that are being opened are busy. */
  state(): Connections {
    const idle = this.#idle.length
    return { idle, busy: this.#count - idle, waiting: this.#waiters.length }
  }

  /** Refuses all requests in the queue. */
  refuse(error: Error): void {
    for (const waiter of this.#waiters.splice(0)) waiter.refuse(error)
  }

  /** Closes all connections, also those in use. */
  [Symbol.dispose](): void {
    this.#shut = true
    this.refuse(shut())
    this.#dropIdle()
    for (const connection of this.#leased) connection.close()
  }

  async #another(limit: Deadline): Promise<Lease> {
    if (this.#count < this.#size) {
      this.#count++
      return this.#opened(limit)
    }
    const handed = await this.#line(limit)
    return handed ? { connection: handed, reused: true } : this.#opened(limit)
  }

  /** Opens a connection in a slot that is already counted. */
  async #opened(limit: Deadline): Promise<Lease> {
    try {
      const connection = await this.#open(limit)
      if (!this.#shut) return { connection, reused: false }
      connection.close()
      throw shut()
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  #takeIdle(): Connection | null {
    for (let entry = this.#idle.pop(); entry; entry = this.#idle.pop()) {
      clearTimeout(entry.timer)
      if (entry.connection.open) return entry.connection
      this.#count--
    }
    return null
  }

  #dropIdle(): void {
    for (const { connection, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      connection.close()
      this.#count--
    }
  }

  #expire(entry: { connection: Connection; timer: NodeJS.Timeout }): void {
    const at = this.#idle.indexOf(entry)
    if (at < 0) return
    this.#idle.splice(at, 1)
    entry.connection.close()
    this.#count--
  }

  /** Frees a slot, which goes to the next request in the queue. */
  #leave(): void {
    const waiter = this.#waiters.shift()
    if (waiter) waiter.wake(null)
    else this.#count--
  }

  #line(limit: Deadline): Promise<Connection | null> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        const at = this.#waiters.indexOf(waiter)
        if (at >= 0) this.#waiters.splice(at, 1)
      }
      const timer = setTimeout(() => waiter.refuse(new DirectoryError('overloaded', 'connect')), limit.remaining())
      const waiter: Waiter = {
        wake: (connection) => {
          leave()
          resolve(connection)
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      this.#waiters.push(waiter)
    })
  }
}

function shut(): DirectoryError {
  return new DirectoryError('shut', 'connect')
}
