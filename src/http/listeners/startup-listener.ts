import { once } from 'node:events'
import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../errors.ts'
import { toErrorAnswer } from '../answers/errors.ts'
import { PLAIN } from '../dialect.ts'
import { RETRY_AFTER_SECONDS } from './server.ts'
import { readListenerTls } from './tls.ts'

/** Listeners on the ports of a service that cannot answer yet; disposing of them frees the ports. */
interface WaitingListeners extends AsyncDisposable {
  /** The ports in use, for the service to take over: also those that the configuration left to the system to choose. */
  readonly ports: Partial<Pick<Config, 'port' | 'vendorPort'>>
}

type Options = Pick<Config, 'host' | 'port' | 'vendorPort' | 'tlsCertificate' | 'tlsKey' | 'tlsClientCa'>

/**
 * Answers 503 with a Retry-After on the ports of the service until it can work; only `/livez` gets 200. {@throws Error} when
 * it cannot listen or the files for TLS cannot be used
 */
export async function listenWhileWaiting(options: Options): Promise<WaitingListeners> {
  await using stack = new AsyncDisposableStack()
  const tls = readListenerTls(options)
  const listen = async (port: number) => {
    const server = tls ? createTlsServer({ ...tls, ca: [...(tls.ca ?? [])] }, answer) : createPlainServer(answer)
    server.listen(port, options.host)
    await once(server, 'listening')
    stack.defer(() => close(server))
    return (server.address() as AddressInfo).port // it listens on a port, not on a socket file
  }
  const port = await listen(options.port)
  const vendorPort = options.vendorPort === null ? null : await listen(options.vendorPort)
  const kept = stack.move()
  return { ports: { port, vendorPort }, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const answer: RequestListener = (request, response) => {
  request.resume()
  const path = PLAIN.path(request.url ?? '/').split('?', 1)[0] ?? ''
  const isAlive = path === '/livez'
  const failure = toErrorAnswer(new Failure('unavailable', NOT_YET), PLAIN.errorForm(path))
  response.setHeader('content-type', 'application/json; charset=utf-8').setHeader('connection', 'close')
  if (!isAlive) response.setHeader('retry-after', RETRY_AFTER_SECONDS)
  response.statusCode = isAlive ? 200 : failure.status
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : failure.body))
}

const NOT_YET = 'The service is waiting for its database, and begins as soon as that answers'

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
