import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApi } from '../support/api.ts'
import { ADMIN, basic, type Reply } from '../support/api.ts'

/** What a fault does to an answer: yields true once it has answered by itself. */
export type Fault = (url: string, answer: Reply, response: ServerResponse) => boolean

/** The vendor port of a second service, on a real socket, which answers with faults where a test wants them. */
export interface OldPeer extends AsyncDisposable {
  readonly url: string
  /** The paths that were asked for, in order. */
  readonly asked: string[]
  /** The most requests that were worked on at once. */
  readonly most: () => number
  fault: Fault | null
}

/** Serves the vendor port of a service to HTTP clients of this machine. */
export async function serveOld(api: TestApi): Promise<OldPeer> {
  const vendor = api.asVendor({ authorization: basic(ADMIN.login, ADMIN.password) })
  let working = 0
  let most = 0
  const peer = { asked: [] as string[], fault: null as Fault | null, most: () => most }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? '/'
    peer.asked.push(url)
    most = Math.max(most, ++working)
    void vendor
      .send({ method: 'GET', url, headers: { accept: 'application/json' } })
      .then((answer) => {
        if (peer.fault?.(url, answer, response)) return
        response.writeHead(answer.status, { 'content-type': String(answer.headers['content-type'] ?? '') })
        response.end(answer.text)
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
      .finally(() => working--)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // a TCP server has one
  return Object.assign(peer, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  })
}
