import { timingSafeEqual } from 'node:crypto'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../errors.ts'
import type { Metrics } from './metrics.ts'

/** Serves `/metrics` beside the API to clients with the token; for others the path does not exist. */
export function mountMetrics(server: FastifyInstance, metrics: Metrics, token: string): void {
  server.get('/metrics', async (request, reply) => {
    if (!hasToken(request.headers.authorization, token)) throw new Failure('unroutable', 'Not Found')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** Serves `/metrics`, and nothing else, on a separate port, to whoever reaches it. {@throws Error} when it cannot listen */
export async function listenForMetrics(metrics: Metrics, host: string, port: number): Promise<Server> {
  const server = createHttpServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await promise
  return server
}

function hasToken(header: string | undefined, token: string): boolean {
  const sent = Buffer.from(header ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return sent.length === wanted.length && timingSafeEqual(sent, wanted)
}
