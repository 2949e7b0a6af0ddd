import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Where something listens: at an address, or at a socket in a folder. */
export type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string }

/** Passes connections on to another place, byte by byte. */
export async function forward(from: Endpoint, to: Endpoint): Promise<Server & AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(to)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}) // it closes next, and takes the other with it
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

/** Whether something takes connections there. */
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
