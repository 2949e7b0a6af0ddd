/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events'
import { request as ask, createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

/** Changes the JSON of an answer of the provider, by the path of the request; 'hold': there is no answer. */
export type Tamper = (path: string, body: Record<string, unknown>) => Promise<unknown> | unknown

/** oidc-provider on this machine, behind a server that can change what it says. */
export interface OpenIdPeer extends AsyncDisposable {
  readonly issuer: string
  readonly client: { readonly client_id: string; readonly client_secret: string }
  /** Claims of people by subject; all are known, and any password will do. */
  readonly people: Map<string, Record<string, unknown>>
  /** Accepts a redirect URI, and logouts reported to this address. */
  readonly accept: (redirectUri: string, backChannel?: string) => void
  tamper: Tamper | null
  /** How often each path was asked. */
  readonly asked: Map<string, number>
  /** Replaces the keys, as providers do from time to time. */
  readonly rotate: (algorithm?: string) => Promise<void>
  /** Signs a token with the present key. */
  readonly sign: (claims: JWTPayload, header?: Record<string, unknown>) => Promise<string>
  /** Logs in as a browser without a page would: follows redirects and forms, and yields where it is sent back to. */
  readonly logIn: (url: string, subject: string) => Promise<URL>
}

/** Starts a provider. */
export async function startOpenIdPeer(): Promise<OpenIdPeer> {
  const client = { client_id: 'millwright', client_secret: 'a secret of the client!' }
  const people = new Map<string, Record<string, unknown>>()
  const asked = new Map<string, number>()
  const redirects = new Set<string>()
  let backChannel: string | undefined
  let key: Key = await createKey('RS256')
  let answer: ReturnType<Provider['callback']> = () => {}
  const inner = createServer((request, response) => answer(request, response))
  const outer = createServer()
  await Promise.all([listen(inner), listen(outer)])
  const issuer = `http://127.0.0.1:${portOf(outer)}`
  const build = () => {
    answer = new Provider(issuer, configure({ client, people, redirects, backChannel, key })).callback()
  }
  const peer: OpenIdPeer = {
    issuer,
    client,
    people,
    asked,
    tamper: null,
    accept: (uri, logout) => {
      redirects.add(uri)
      backChannel = logout ?? backChannel
      build()
    },
    rotate: async (algorithm = 'RS256') => {
      key = await createKey(algorithm)
      build()
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey),
    logIn: (url, subject) => logIn(issuer, url, subject),
    [Symbol.asyncDispose]: async () => {
      for (const server of [outer, inner]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
  outer.on('request', async (request, response) => {
    const path = String(request.url).split('?', 1)[0] ?? ''
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const { status, headers, body } = await forward(request, portOf(inner), await buffer(request))
    const isJson = String(headers['content-type']).includes('json')
    const changed = peer.tamper && isJson ? await peer.tamper(path, JSON.parse(body.toString())) : undefined
    if (changed === 'hold') return
    const text = changed === undefined ? body : Buffer.from(JSON.stringify(changed))
    const { 'transfer-encoding': _chunked, ...kept } = headers
    response.writeHead(status, { ...kept, 'content-length': text.length })
    response.end(text)
  })
  build()
  return peer
}

/** Reads the claims of the ID token in an answer of the token endpoint. */
export function claimsOf(body: Record<string, unknown>): JWTPayload {
  return decodeJwt(String(body.id_token))
}

interface Key {
  readonly alg: string
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly jwk: object
}

let keys = 0

async function createKey(alg: string): Promise<Key> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = `key-${++keys}`
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' } }
}

interface Parts extends Pick<OpenIdPeer, 'client' | 'people'> {
  readonly redirects: ReadonlySet<string>
  readonly backChannel: string | undefined
  readonly key: Key
}

function configure({ client, people, redirects, backChannel, key }: Parts): object {
  return {
    clients: [
      {
        ...client,
        redirect_uris: redirects.size > 0 ? [...redirects] : ['http://localhost/none'],
        post_logout_redirect_uris: [...new Set([...redirects].map((uri) => `${new URL(uri).origin}/`))],
        id_token_signed_response_alg: key.alg,
        ...(backChannel && { backchannel_logout_uri: backChannel, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [key.jwk] },
    cookies: { keys: ['a key of cookies'] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'sid'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups', '_claim_names'],
      email: ['email'],
    },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, subject: string) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject) }),
    }),
  }
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port // it listens on a port, not on a socket in a folder
}

interface Forwarded {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

async function forward({ method, url, headers }: IncomingMessage, port: number, sent: Buffer): Promise<Forwarded> {
  const request = ask({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
  request.end(sent)
  const [response] = await once(request, 'response')
  return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) }
}

async function logIn(issuer: string, first: string, subject: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(first)
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step++) {
    const response: Response = await fetch(next, {
      method: form ? 'POST' : 'GET',
      ...(form && { body: form }),
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const page = await response.text()
    const location = response.headers.get('location')
    form = null
    if (location) {
      next = new URL(location, next)
      if (next.origin !== issuer) return next
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!prompt) throw new Error(`The provider answers ${response.status}: ${page.slice(0, 300)}`)
    form = new URLSearchParams({ prompt, login: subject, password: 'any' })
  }
  throw new Error('The provider does not come to an end')
}
