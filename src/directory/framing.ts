/**
 * Stands between the socket and the client library and passes one whole LDAP message at a time. By itself the library copies
 * everything received so far for every packet, reads without a limit, waits or loops for ever on bytes that are not LDAP,
 * and recurses once for each message of a packet.
 */
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { DirectoryError } from './errors.ts'
import { checkMessage } from './messages.ts'

const SEQUENCE = 0x30
const TLS_ALERT = 0x15
const TLS_HANDSHAKE = 0x16

/** Limits of what one operation may receive. */
export interface Allowance {
  readonly messages: number
  readonly bytes: number
  readonly messageBytes: number
}

/** For searches that may find whole directories. */
export const USUAL_ALLOWANCE: Allowance = { messages: 200_000, bytes: 64 << 20, messageBytes: 16 << 20 }

/** For searches with few results, many of which may run at once. */
export const SMALL_ALLOWANCE: Allowance = { ...USUAL_ALLOWANCE, messages: 2_000 }

/**
 * The stream of one connection between socket and library: it passes whole messages that were checked, and counts
 * them.
 */
export class Framing extends Duplex {
  /** The library reads these two properties of a socket before it uses it. */
  readonly connecting = false
  readonly readyState = 'open'
  /** Why the connection broke; null while it has not. */
  failure: DirectoryError | null = null
  /** Bytes received on this connection. */
  received = 0
  /** The result code of the last finished search; the library hides that a limit was hit. */
  lastSearchResult = 0

  readonly #socket: Socket
  #chunks: Buffer[] = []
  #held = 0
  #needed: number | null = null
  #messagesLeft = 0
  #bytesLeft = 0
  #messageBytes = 0

  constructor(socket: Socket) {
    super({ readableObjectMode: true, allowHalfOpen: false })
    this.#socket = socket
    this.allow(USUAL_ALLOWANCE)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (cause) => this.#break(new DirectoryError('closed', 'bind', { cause })))
    socket.on('close', () => this.#break(new DirectoryError('closed', 'bind')))
  }

  /** Sets the limits for the next operation. */
  allow(allowance: Allowance): void {
    this.#messagesLeft = allowance.messages
    this.#bytesLeft = allowance.bytes
    this.#messageBytes = allowance.messageBytes
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return
    this.received += chunk.length
    this.#bytesLeft -= chunk.length
    if (this.#bytesLeft < 0) {
      this.#break(new DirectoryError('answer_too_large', 'bind'))
      return
    }
    this.#chunks.push(chunk)
    this.#held += chunk.length
    while (!this.destroyed && this.#cut()) {
      // one message after another
    }
  }

  /** Passes one message on if it has arrived completely. */
  #cut(): boolean {
    this.#needed ??= this.#measure()
    if (this.#needed === null || this.#held < this.#needed) return false
    const [first] = this.#chunks
    const held = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    const message = held.subarray(0, this.#needed)
    this.#chunks = held.length > this.#needed ? [held.subarray(this.#needed)] : []
    this.#held -= this.#needed
    this.#needed = null
    if (--this.#messagesLeft < 0) {
      this.#break(new DirectoryError('answer_too_large', 'bind'))
      return false
    }
    const checked = checkMessage(message)
    if (!checked) {
      this.#break(new DirectoryError('garbage', 'bind'))
      return false
    }
    this.lastSearchResult = checked.searchResult ?? this.lastSearchResult
    if (!this.push(message)) this.#socket.pause()
    return true
  }

  /** Yields the length of the next message with its header; null until it is known. */
  #measure(): number | null {
    if (this.#held === 0) return null
    const head = this.#chunks[0]?.length ?? 0
    const bytes = head >= 6 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks) // the first of a non-empty list
    const [tag, short = 0] = bytes
    if (tag === TLS_ALERT || tag === TLS_HANDSHAKE) return this.#break(new DirectoryError('tls_expected', 'tls'))
    if (tag !== SEQUENCE) return this.#break(new DirectoryError('garbage', 'bind'))
    if (bytes.length < 2) return null
    if (short < 0x80) return 2 + short
    const size = short & 0x7f
    if (size === 0 || size > 4) return this.#break(new DirectoryError('garbage', 'bind'))
    if (bytes.length < 2 + size) return null
    const length = 2 + size + bytes.readUIntBE(2, size)
    if (length > this.#messageBytes) return this.#break(new DirectoryError('answer_too_large', 'bind'))
    return length
  }

  #break(reason: DirectoryError): null {
    if (this.destroyed) return null
    this.failure ??= reason
    this.destroy(reason)
    return null
  }
}
