/** The requests to Vault: by TLS or to this machine, within a time limit, without redirects, with answers of limited size. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { UnreadableReference } from './unreadable-reference.ts'

/** A server to send requests to. */
export interface Server {
  /** The address, without a slash at its end. */
  readonly address: string
  /** Trusted certificates (PEM); null: those of the machine. */
  readonly ca: string | null
  readonly timeoutMs: number
}

/** A request, with a body in JSON. */
export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The status of an answer, and its JSON; undefined if it has none. */
export interface Received {
  readonly status: number
  readonly body: unknown
}

const MOST_BYTES = 1024 * 1024

/** Sends a request. {@throws UnreadableReference} */
export async function exchange({ address, ca, timeoutMs }: Server, sent: Sent): Promise<Received> {
  const url = new URL(`${address}${sent.path}`)
  const signal = AbortSignal.timeout(timeoutMs)
  const text = sent.body === undefined ? undefined : JSON.stringify(sent.body)
  const headers = {
    ...sent.headers,
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const options = { method: sent.method, headers, agent: false, signal } as const
  const request =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, minVersion: 'TLSv1.2', ...(ca !== null && { ca }) })
      : httpRequest(url, options)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.on('error', reject)
      request.end(text)
    })
    return { status: response.statusCode ?? 0, body: parse(await read(response)) }
  } catch (error) {
    throw translate(error, `${sent.method} ${url.origin}`, signal.aborted)
  } finally {
    request.destroy()
  }
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES) throw new UnreadableReference('too_large', `the answer has more than ${MOST_BYTES} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function translate(error: unknown, where: string, isLate: boolean): UnreadableReference {
  if (error instanceof UnreadableReference) return error
  const { code = '', name = '' } = error as NodeJS.ErrnoException // errors of connections have codes
  if (isLate) return new UnreadableReference('slow', `${where}: no answer in time`, error)
  const isUntrusted = /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|INVALID_(?:CA|PURPOSE)/.test(code)
  return new UnreadableReference(isUntrusted ? 'untrusted' : 'unreachable', `${where}: ${code || name}`, error)
}
