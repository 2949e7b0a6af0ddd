import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificates } from './certificates.ts'
import {
  disconnectionNotice,
  entryMessage,
  type LdapMessage,
  messageSplitter,
  OPERATION,
  resultMessage,
} from './ldap-message.ts'

/** The directory behind a fault, such as a TestDirectory. */
export interface FaultTarget {
  readonly host: string
  readonly port: number
  readonly tlsPort: number
  readonly baseDn: string
  readonly certificates: Certificates
}

export interface FaultOptions {
  /** For `cuts after bytes`: the number of bytes of the client that are passed on. */
  readonly bytes?: number
}

/** What a behaviour may use. */
export interface Peer {
  readonly target: FaultTarget
  readonly options: FaultOptions
  /** Opens a connection to the directory that ends with that of the client. */
  readonly dial: (port?: number) => Socket
}

export type Behaviour = (client: Socket, peer: Peer) => void

const STARTTLS = '1.3.6.1.4.1.1466.20037'
const PAGING = '1.2.840.113556.1.4.319'
const SUCCESS = 0

/** Misbehaviours of a peer that accepts connections, by name. */
export const BEHAVIOURS = {
  /** Passes everything on, to plain LDAP with StartTLS. */
  'records plain': (client, { dial }) => join(client, dial()),
  /** Passes everything on, to LDAPS. */
  'records tls': (client, { dial, target }) => join(client, dial(target.tlsPort)),
  'black hole': () => {},
  'closes at once': (client) => void client.destroy(),
  /** Closes the connection after the first bytes of the client. */
  'closes on first word': (client) => void client.once('data', () => client.destroy()),
  'cuts after bytes': cutAfterBytes,
  'closes mid-answer': closeMidAnswer,
  'sends garbage': (client) => void client.once('data', () => client.write(GARBAGE)),
  /** Answers like a web server. */
  'speaks http': (client) =>
    void client.once('data', () => client.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')),
  /** Announces a message of 2 GB and sends it so slowly that it never ends. */
  'announces too much': announceTooMuch,
  /** Sends one byte of the directory's answers per second. */
  drips: drip,
  'expired certificate': (client, peer) => presentCertificate(client, peer, 'expired'),
  'wrong name': (client, peer) => presentCertificate(client, peer, 'wrongName'),
  'untrusted authority': (client, peer) => presentCertificate(client, peer, 'untrusted'),
  /** The directory does not know the extended operation. */
  'no StartTLS': (client, { dial }) => rename(client, dial(), STARTTLS),
  /** Agrees to StartTLS, then closes. */
  'breaks StartTLS': (client, { dial }) => agreeToStartTls(client, dial(), () => client.destroy()),
  /** Agrees to StartTLS, then never answers. */
  'hangs in StartTLS': (client, { dial }) => agreeToStartTls(client, dial(), () => {}),
  /** Agrees to StartTLS, then sends something other than TLS. */
  'garbage after StartTLS': (client, { dial }) => agreeToStartTls(client, dial(), () => client.write(GARBAGE)),
  /** The directory does not know the control. */
  'no paging': (client, { dial }) => rename(client, dial(), PAGING),
  'time limit': answerSearches(3, 'time limit exceeded'),
  'size limit': answerSearches(4, 'size limit exceeded'),
  'administrative limit': answerSearches(11, 'administrative limit exceeded'),
  referral: answerSearches(10, '', ['ldap://127.0.0.1:9/dc=example,dc=test']),
  'no permission': answerSearches(50, 'insufficient access'),
  busy: answerSearches(51, 'busy'),
  unavailable: answerSearches(52, 'shutting down'),
  /** Answers searches with entries that never end. */
  'endless answer': interceptSearches(sendWithoutEnd),
  /** Ends the connection politely when searched. */
  'announces its end': interceptSearches((client) => client.end(disconnectionNotice())),
  /** Answers a search with the id of another request. */
  'answers another question': interceptSearches((client, { id }) =>
    client.write(resultMessage(id + 1000, OPERATION.searchDone, SUCCESS)),
  ),
} as const satisfies Record<string, Behaviour>

const GARBAGE = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197 + 83) % 256))

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client)
}

function cutAfterBytes(client: Socket, { dial, options }: Peer): void {
  const upstream = dial()
  let left = options.bytes ?? 0
  client.on('data', (chunk) => {
    upstream.write(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) client.destroy()
  })
  upstream.pipe(client)
}

/** Sends half of the first entry, then nothing. */
function closeMidAnswer(client: Socket, { dial }: Peer): void {
  const upstream = dial()
  const split = messageSplitter()
  client.pipe(upstream)
  upstream.on('data', (chunk) => {
    for (const { operation, bytes } of split(chunk)) {
      if (client.destroyed || client.writableEnded) return
      if (operation !== OPERATION.searchEntry) client.write(bytes)
      else client.end(bytes.subarray(0, bytes.length / 2))
    }
  })
}

function announceTooMuch(client: Socket): void {
  client.once('data', () => {
    client.write(
      Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 0x02, 0x01, 0x01, 0x61, 0x84, 0x7f, 0xff, 0xff, 0xf0]),
    )
    const timer = setInterval(() => client.write(Buffer.alloc(1024)), 10)
    client.once('close', () => clearInterval(timer))
  })
}

function drip(client: Socket, { dial }: Peer): void {
  const upstream = dial()
  const waiting: number[] = []
  client.pipe(upstream)
  upstream.on('data', (chunk) => waiting.push(...chunk))
  const timer = setInterval(() => {
    const next = waiting.shift()
    if (next !== undefined) client.write(Buffer.from([next]))
  }, 1000)
  client.once('close', () => clearInterval(timer))
}

/** Presents a certificate, at once for TLS and after StartTLS otherwise; then connects to the real directory. */
function presentCertificate(
  client: Socket,
  { target, dial }: Peer,
  name: keyof Pick<Certificates, 'expired' | 'wrongName' | 'untrusted'>,
) {
  const terminate = async (first: Buffer) => {
    const server = createTlsServer(target.certificates[name], (decrypted) => {
      decrypted.on('error', () => {})
      join(decrypted, dial())
    })
    server.on('tlsClientError', () => {})
    const port = await listen(server)
    const upstream = dial(port)
    upstream.once('close', () => server.close())
    upstream.write(first)
    join(client, upstream)
  }
  client.once('data', (first) => {
    client.pause()
    const isTls = first[0] === 0x16
    if (!isTls) client.write(resultMessage(parseOne(first).id, OPERATION.extendedResponse, SUCCESS))
    void terminate(isTls ? first : Buffer.alloc(0))
  })
}

function parseOne(bytes: Buffer): LdapMessage {
  const [message] = messageSplitter()(bytes)
  if (!message) throw new Error('The client has not sent a whole message at once')
  return message
}

/** Hides an object identifier from the directory by changing its last digit in both directions. */
function rename(client: Socket, upstream: Socket, identifier: string): void {
  const known = Buffer.from(identifier)
  const unknown = Buffer.from(`${identifier.slice(0, -1)}0`)
  const renamed = (chunk: Buffer) => {
    for (let at = chunk.indexOf(known); at >= 0; at = chunk.indexOf(known)) unknown.copy(chunk, at)
    return chunk
  }
  client.on('data', (chunk) => upstream.write(renamed(Buffer.from(chunk))))
  upstream.on('data', (chunk) => client.write(renamed(Buffer.from(chunk))))
}

/** Agrees to StartTLS; `then` is called for what the client sends next. */
function agreeToStartTls(client: Socket, upstream: Socket, then: () => void): void {
  const split = messageSplitter()
  let agreed = false
  client.on('data', (chunk) => {
    if (agreed) return then()
    for (const { id, operation, content, bytes } of split(chunk)) {
      agreed = operation === OPERATION.extendedRequest && content.includes(STARTTLS)
      if (agreed) client.write(resultMessage(id, OPERATION.extendedResponse, SUCCESS))
      else upstream.write(bytes)
    }
  })
  upstream.pipe(client)
}

function answerSearches(code: number, text: string, referral: string[] = []): Behaviour {
  return interceptSearches((client, { id }) =>
    client.write(resultMessage(id, OPERATION.searchDone, code, text, referral)),
  )
}

/** Answers searches itself, except those of the root entry (an empty base). */
function interceptSearches(answer: (client: Socket, search: LdapMessage) => void): Behaviour {
  return (client, { dial }) =>
    intercept(client, dial(), (message) => {
      const { operation, content } = message
      if (operation !== OPERATION.searchRequest || content[1] === 0) return false
      answer(client, message)
      return true
    })
}

function intercept(client: Socket, upstream: Socket, take: (message: LdapMessage) => boolean): void {
  const split = messageSplitter()
  client.on('data', (chunk) => {
    for (const message of split(chunk)) if (!take(message)) upstream.write(message.bytes)
  })
  upstream.pipe(client)
}

function sendWithoutEnd(client: Socket, { id }: LdapMessage): void {
  let count = 0
  const send = () => {
    while (!client.destroyed && client.write(entryMessage(id, `uid=user${++count},dc=example,dc=test`))) {
      if (count % 100 === 0) return void setImmediate(send) // lets other work run
    }
  }
  client.on('drain', send)
  send()
}

/** Makes a server listen on a free port of the loopback address. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A peer did not get a port')
  return address.port
}
