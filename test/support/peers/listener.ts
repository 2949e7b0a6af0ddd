import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A port of 127.0.0.1 with a listener that speaks none of the expected protocols. */
export interface Listener extends AsyncDisposable {
  readonly port: number
}

/** Accepts connections and calls `behave` for each; what is sent is ignored. */
export async function startListener(behave: (client: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}).resume())
    client.once('close', () => sockets.delete(client))
    behave(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a socket file
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Yields a port on which nothing listens. */
export async function unusedPort(): Promise<number> {
  await using listener = await startListener(() => {})
  return listener.port
}
