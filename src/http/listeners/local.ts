import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../errors.ts'

/** Performs an operation for the owner of the data; yields an object to send as JSON, or bytes. {@throws Failure} */
type Perform = (name: string, input: unknown) => Promise<object | AsyncIterable<Uint8Array>>

/** The prefix of operations on the local socket, beside the paths of the API. */
export const OPERATION_PATH = '/local/'

/**
 * Yields the path of the socket on which the owner of a data directory reaches the service that holds it; null for a
 * database server and for a database in memory.
 */
export function localSocketOf(config: {
  readonly databaseUrl: string | null
  readonly dataDir: string
}): string | null {
  return config.databaseUrl !== null || config.dataDir === 'memory' ? null : join(config.dataDir, 'millwright.sock')
}

/**
 * Serves the API on a socket of mode 0600. A process that can open it owns the data, so requests without a login act as
 * an administrator. `/local/` has the operations of the owner. The directory must be locked, because this function
 * removes a socket left by a crash. {@throws Error} for a path that is too long
 */
export async function listenLocally(api: FastifyInstance, socket: string, perform: Perform): Promise<AsyncDisposable> {
  if (Buffer.byteLength(socket) > LONGEST_PATH)
    throw new Error(`a socket cannot have a path of so many bytes: ${socket}`)
  await rm(socket, { force: true })
  const server = createServer((request, response) => {
    if (request.url?.startsWith(OPERATION_PATH)) void answerOperation(request, response, perform)
    else api.routing(request, response)
  })
  server.on('connection', (connection) => {
    local.add(connection)
    // Code that asks for the client's address gets that of this machine.
    Object.defineProperty(connection, 'remoteAddress', { value: '127.0.0.1' })
  })
  await listenAsOwner(server, socket)
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Creates the socket with its final mode: a mode that is changed afterwards would leave it open to anybody for a moment. */
async function listenAsOwner(server: Server, socket: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const before = process.umask(0o177)
  try {
    server.once('error', reject).listen({ path: socket }, resolve)
  } finally {
    process.umask(before)
  }
  await promise
  await chmod(socket, 0o600) // for systems that ignore the mask for sockets
}

/** Tells whether a request came through the socket of the data directory. */
export function isLocal({ socket }: IncomingMessage): boolean {
  return local.has(socket)
}

const local = new WeakSet<Socket>()

/** The most bytes of a socket path: `sockaddr_un` of Linux has 108, one of them for the end. */
const LONGEST_PATH = 107

async function answerOperation(request: IncomingMessage, response: ServerResponse, perform: Perform): Promise<void> {
  try {
    if (request.method !== 'POST') throw new Failure('unroutable', 'Operations require POST')
    const result = await perform(request.url?.slice(OPERATION_PATH.length) ?? '', await readJson(request))
    if (Symbol.asyncIterator in result) return await pipeline(Readable.from(result), response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  } catch (error) {
    if (response.headersSent) return void response.destroy()
    const { status, message } = error instanceof Failure ? error : { status: 500, message: String(error) }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8') || '{}')
  } catch (cause) {
    throw new Failure('malformed', 'The body is not JSON', {}, { cause })
  }
}
