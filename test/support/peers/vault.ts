import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/**
 * A server that answers as the documents of Vault and OpenBao describe the login of an AppRole and the KV engine version 2 at the mount
 * `secret`. It is not one of these programs.
 */
export interface VaultPeer extends AsyncDisposable {
  readonly address: string
  readonly roleId: string
  readonly secretId: string
  /** Secrets by path; null: the last version was deleted. */
  readonly secrets: Map<string, Readonly<Record<string, unknown>> | null>
  /** The requested paths in order, each after its method, with the namespace. */
  readonly asked: string[]
  /** Accepts no token that it has given out so far. */
  readonly revoke: () => void
  /** Accepts this token. */
  readonly admit: (token: string) => void
  /** Answers all requests with this function; null: normally. */
  answer: ((response: ServerResponse) => void) | null
}

/** Starts one on 127.0.0.1; with a certificate, it speaks TLS. */
export async function startVault(tls?: { readonly cert: string; readonly key: string }): Promise<VaultPeer> {
  const tokens = new Set<string>()
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '', headers } = request
    peer.asked.push(`${method} ${url} ${headers['x-vault-namespace'] ?? '-'}`)
    if (peer.answer) peer.answer(response)
    else if (url === '/v1/auth/approle/login') void logIn(peer, tokens, request, response)
    else answer(response, readSecret(peer, tokens, request))
  }
  const server = tls ? createSecureServer(tls, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const peer: VaultPeer = {
    address: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    roleId: 'the role of the service',
    secretId: 'secret-id-of-the-service',
    secrets: new Map(),
    asked: [],
    revoke: () => tokens.clear(),
    admit: (token) => void tokens.add(token),
    answer: null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return peer
}

async function logIn(peer: VaultPeer, tokens: Set<string>, request: IncomingMessage, response: ServerResponse) {
  const sent = (await json(request)) as Record<string, unknown> // the service sends an object
  if (sent.role_id !== peer.roleId || sent.secret_id !== peer.secretId)
    return answer(response, { status: 400, body: { errors: ['invalid role or secret ID'] } })
  const client_token = `hvs.token-${tokens.size}-${peer.asked.length}`
  tokens.add(client_token)
  const auth = { client_token, accessor: 'a', lease_duration: 1200, renewable: true }
  return answer(response, { status: 200, body: { auth } })
}

function readSecret(
  { secrets }: VaultPeer,
  tokens: ReadonlySet<string>,
  { url = '', headers }: IncomingMessage,
): { readonly status: number; readonly body: unknown } {
  const path = decodeURIComponent(/^\/v1\/secret\/data\/(.+)$/.exec(url)?.[1] ?? '')
  if (!tokens.has(String(headers['x-vault-token'])) || path.startsWith('forbidden/'))
    return { status: 403, body: { errors: ['permission denied'] } }
  const data = secrets.get(path)
  if (data === undefined) return { status: 404, body: { errors: [] } }
  const metadata = { created_time: '2026-11-30T08:00:00Z', deletion_time: '', destroyed: false, version: 1 }
  return { status: data ? 200 : 404, body: { data: { data, metadata } } }
}

function answer(response: ServerResponse, { status, body }: ReturnType<typeof readSecret>): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
