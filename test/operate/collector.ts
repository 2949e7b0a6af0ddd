import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span as OTLP says it in JSON, as far as tests look at it. */
export interface Received {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[]
}

export interface Collector extends Disposable {
  readonly url: string
  spans(): readonly Received[]
  /** Everything that came, headers too. */
  said(): string
}

/** Takes traces as OTLP over HTTP, in JSON, at the path that collectors take them. */
export async function startCollector(): Promise<Collector> {
  const spans: Received[] = []
  let said = ''
  const server = createServer(async (request, response) => {
    const body = await text(request)
    said += `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}\n`
    if (request.url !== '/v1/traces') return void response.writeHead(404).end()
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const one of scopeSpans) spans.push(...one.spans)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    said: () => said,
    [Symbol.dispose]: () => void server.close(),
  }
}
