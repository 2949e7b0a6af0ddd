import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a reverse proxy before the service, as in `docs/reverse-proxy.md`, which removes a path prefix. */
export async function openFront(
  base: string,
  port: () => number,
): Promise<{ readonly origin: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request
    if (!url.startsWith(base)) return response.writeHead(404).end()
    const asked = ask(
      { host: '127.0.0.1', port: port(), path: url.slice(base.length - 1), method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    asked.on('error', () => response.destroy())
    return request.pipe(asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, not on a socket in a folder
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
