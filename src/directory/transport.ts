/**
 * Opens the transport to a server: TCP, then TLS at once or after StartTLS. The result is encrypted if the source asks for
 * it; the client library gets the finished socket and cannot open one of its own.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { BerReader } from 'ldapts'
import type { Deadline } from './deadline.ts'
import { DirectoryError, type DirectoryErrorCode } from './errors.ts'
import { type Address, formatServer, type Resolver, type Server } from './servers.ts'
import type { DirectorySource } from './source.ts'
import { handshakeCodeOf } from './trust.ts'

/** Milliseconds for each of several addresses of a server, except for the last one. */
const ADDRESS_MS = 1_500

/** Connects by TCP. Fails with `unresolved`, `refused`, `unreachable` or `timeout`. */
export async function openTcp(server: Server, resolver: Resolver, limit: Deadline): Promise<Socket> {
  const addresses = await resolver.addresses(server.host, limit)
  const socket = connectTcp({
    ...server,
    lookup: createLookup(addresses),
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    noDelay: true,
    keepAlive: true,
  })
  return awaitConnection(socket, 'connect', limit, {
    late: new DirectoryError('timeout', 'connect', { server: formatServer(server) }),
    failed: (cause) => new DirectoryError(connectCode(cause), 'connect', { server: formatServer(server), cause }),
  })
}

/** Encrypts a connected socket as the source asks; without TLS it is returned unchanged. */
export async function encryptSocket(
  socket: Socket,
  server: Server,
  security: DirectorySource['security'],
  context: SecureContext | null,
  limit: Deadline,
): Promise<Socket> {
  if (security === 'none' || !context) return socket
  if (security === 'starttls') await askForTls(socket, server, limit)
  return shakeHands(socket, server, { secureContext: context, rejectUnauthorized: true }, limit)
}

/**
 * Makes a TLS handshake that accepts any certificate, only to inspect it; the caller closes the socket and sends nothing.
 */
export async function inspect(
  socket: Socket,
  server: Server,
  security: DirectorySource['security'],
  limit: Deadline,
): Promise<TLSSocket> {
  if (security === 'starttls') await askForTls(socket, server, limit)
  return shakeHands(socket, server, { rejectUnauthorized: false }, limit)
}

/** The StartTLS request, message 1: an extended request with the name 1.3.6.1.4.1.1466.20037 (RFC 4511 §4.14). */
const START_TLS = Buffer.concat([Buffer.from('301d02010177188016', 'hex'), Buffer.from('1.3.6.1.4.1.1466.20037')])
const EXTENDED_RESPONSE = 0x78
const RESPONSE_LIMIT = 4_096

async function askForTls(socket: Socket, server: Server, limit: Deadline): Promise<void> {
  const details = { server: formatServer(server) }
  const answer = await new Promise<Buffer>((resolve, reject) => {
    let received = Buffer.alloc(0)
    const timer = setTimeout(() => end(new DirectoryError('timeout', 'tls', details)), limit.remaining())
    const end = (outcome: Buffer | Error) => {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose).off('error', onError)
      if (Buffer.isBuffer(outcome)) resolve(outcome)
      else {
        socket.on('error', () => {}).destroy()
        reject(outcome)
      }
    }
    const onClose = () => end(new DirectoryError('closed', 'tls', details))
    const onError = (cause: Error) => end(new DirectoryError('closed', 'tls', { ...details, cause }))
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const state = classifyAnswer(received)
      if (state === 'incomplete' && received.length <= RESPONSE_LIMIT) return
      end(
        state === 'complete'
          ? received
          : new DirectoryError(state === 'tls' ? 'tls_expected' : 'garbage', 'tls', details),
      )
    }
    socket.on('data', onData).on('close', onClose).on('error', onError)
    socket.write(START_TLS)
  })
  socket.pause()
  const result = readExtendedResult(answer)
  if (result === 0) return
  socket.on('error', () => {}).destroy()
  throw new DirectoryError(result === null ? 'garbage' : 'starttls_unsupported', 'tls', details)
}

/** Checks the answer to StartTLS. Bytes behind it were sent before the encryption and are refused (RFC 4513 §3.1.1). */
function classifyAnswer(received: Buffer): 'complete' | 'incomplete' | 'garbage' | 'tls' {
  if (received[0] === 0x15 || received[0] === 0x16) return 'tls'
  if (received[0] !== 0x30) return 'garbage'
  const reader = new BerReader(received)
  try {
    if (reader.readSequence() === null || reader.remain < reader.length) return 'incomplete'
    return reader.remain > reader.length ? 'garbage' : 'complete'
  } catch {
    return 'garbage'
  }
}

function readExtendedResult(answer: Buffer): number | null {
  const reader = new BerReader(answer)
  try {
    reader.readSequence()
    if (reader.readInt() !== 1) return null
    return reader.readSequence() === EXTENDED_RESPONSE ? reader.readEnumeration() : null
  } catch {
    return null
  }
}

function shakeHands(
  socket: Socket,
  server: Server,
  options: { secureContext?: SecureContext; rejectUnauthorized: boolean },
  limit: Deadline,
): Promise<TLSSocket> {
  socket.on('error', () => {}) // reported by the TLS socket
  const servername = isIP(server.host) ? undefined : server.host
  const encrypted = connectTls({ ...options, socket, host: server.host, servername })
  return awaitConnection(encrypted, 'secureConnect', limit, {
    late: new DirectoryError('timeout', 'tls', { server: formatServer(server) }),
    failed: (cause) =>
      new DirectoryError(handshakeCodeOf(cause), 'tls', {
        server: formatServer(server),
        detail: reasonOf(cause),
        cause,
      }),
  })
}

/** Yields the reason of a TLS error: the names in the certificate, or the reason of OpenSSL. */
function reasonOf(
  error: NodeJS.ErrnoException & { cert?: { subjectaltname?: string; subject?: { CN?: string | string[] } } },
): string | undefined {
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `it is for ${error.cert?.subjectaltname ?? [error.cert?.subject?.CN].flat().join(', ')}`
  }
  return undefined
}

/** Waits until the socket is connected; otherwise destroys it and fails. */
function awaitConnection<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  limit: Deadline,
  errors: { late: Error; failed: (cause: NodeJS.ErrnoException) => Error },
): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(errors.late), limit.remaining())
    const onUp = () => end(null)
    const onError = (cause: Error) => end(errors.failed(cause))
    const onClose = () => end(errors.failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    const end = (error: Error | null) => {
      clearTimeout(timer)
      socket.off(event, onUp).off('error', onError).off('close', onClose)
      if (!error) return resolve(socket)
      socket.on('error', () => {}).destroy()
      reject(error)
    }
    socket.on(event, onUp).on('error', onError).on('close', onClose)
  })
}

function connectCode(error: NodeJS.ErrnoException): DirectoryErrorCode {
  if (error.code === 'ECONNREFUSED') return 'refused'
  if (error.code === 'ETIMEDOUT') return 'timeout'
  if (error.code === 'ECONNRESET') return 'closed'
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'unresolved'
  return 'unreachable'
}

/** Builds a lookup function from known addresses: Node's own lookup would occupy a thread for each connection. */
function createLookup(addresses: readonly Address[]) {
  return (
    _host: string,
    options: { all?: boolean | undefined },
    done: (error: Error | null, address: string | Address[], family?: number) => void,
  ): void => {
    const [first] = addresses
    if (options.all) done(null, [...addresses])
    else if (first) done(null, first.address, first.family)
    else done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
  }
}
