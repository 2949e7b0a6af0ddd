import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** An address, or a socket in a folder. */
export type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string }

/** Forwards connections to another endpoint, byte by byte. */
export async function forward(from: Endpoint, to: Endpoint): Promise<Server & AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(to)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}) // it closes next, and the other side with it
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(from)
  await once(server, 'listening')
  const close = async () => {
    const closed = once(server.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return Object.assign(server, { [Symbol.asyncDispose]: close })
}

/** Tells whether an endpoint accepts connections. */
export function answers(at: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at)
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}

export async function untilAnswers(at: Endpoint): Promise<void> {
  while (!(await answers(at))) await new Promise((resolve) => setTimeout(resolve, 20))
}
