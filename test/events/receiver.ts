import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** What a receiver was sent. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** A receiver of webhooks. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
}

/** How a receiver answers: a status with headers, or by itself. */
type Answer = (received: Received, count: number) => number | RequestListener | Promise<number | RequestListener>

interface ReceiverOptions {
  readonly tls?: { readonly key: string; readonly cert: string }
  /** A free port without it. */
  readonly port?: number
  /** What it was sent before it was closed. */
  readonly received?: Received[]
}

/** Opens a receiver on a port of this machine. Received messages are kept once they have been answered. */
export async function openReceiver(
  answer: Answer = () => 204,
  { tls, port: wanted = 0, received = [] }: ReceiverOptions = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let count = 0
  const listener: RequestListener = async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = {
      headers: request.headers,
      text,
      body: parseBody(text),
      method: request.method ?? '',
      path: request.url ?? '',
    }
    const given = await answer(one, ++count)
    received.push(one)
    if (typeof given === 'number') response.writeHead(given).end()
    else given(request, response)
  }
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
