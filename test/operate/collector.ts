import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span in OTLP's JSON format, with the parts that tests use. */
export interface Received {
  readonly name: string
  /** The process that it belongs to. */
  readonly instance: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[]
}

export interface Collector extends Disposable {
  readonly url: string
  spans(): readonly Received[]
  /** Yields everything that was received, headers included. */
  said(): string
}

/** Starts a collector that takes traces as OTLP over HTTP in JSON, on a free port unless one is given. */
export async function startCollector(port = 0): Promise<Collector> {
  const spans: Received[] = []
  let said = ''
  const server = createServer(async (request, response) => {
    const body = await text(request)
    said += `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}\n`
    if (request.url !== '/v1/traces') return void response.writeHead(404).end()
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const named = ({ key }: { key: string }) => key === 'service.instance.id'
      const instance = resource.attributes.find(named)?.value.stringValue
      for (const one of scopeSpans) spans.push(...one.spans.map((span: object) => ({ ...span, instance })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${taken}`,
    spans: () => spans,
    said: () => said,
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
