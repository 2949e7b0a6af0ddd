import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** An HTTP proxy that connects to 127.0.0.1 whatever the host name is, with the given port. */
export interface HttpProxyPeer extends AsyncDisposable {
  readonly url: string
  /** The requests in order: `GET http://…`, `CONNECT host:port`. */
  readonly asked: string[]
  /** Sets what it does with tunnels: opens them, answers with a status, or does not answer. */
  tunnels(behaviour: 'opens' | 'holds' | number): void
  /** Resolves when no connection is open. */
  readonly alone: () => Promise<void>
}

/** Starts an HTTP proxy on 127.0.0.1. */
export async function startHttpProxy(): Promise<HttpProxyPeer> {
  let behaviour: 'opens' | 'holds' | number = 'opens'
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { port, pathname, search } = new URL(String(request.url))
    const { method, headers } = request
    const onwards = forward({ host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onwards.on('error', () => response.writeHead(502).end())
    request.pipe(onwards)
  })
  server.on('connect', (request, client) => {
    asked.push(`CONNECT ${request.url}`)
    client.on('error', () => {})
    client.once('end', () => client.destroy())
    if (behaviour === 'holds') return client.resume()
    if (typeof behaviour === 'number') return client.end(`HTTP/1.1 ${behaviour} Not for you\r\n\r\nno`)
    const host = connect(Number(String(request.url).split(':').at(-1)), '127.0.0.1')
    sockets.add(host)
    client.once('close', () => host.destroy())
    host
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(host)
        client.destroy()
      })
    host.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      host.pipe(client).pipe(host)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a socket file
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    tunnels: (next) => {
      behaviour = next
    },
    alone: async () => {
      for (const socket of sockets) if (!socket.closed) await once(socket, 'close')
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
