import { expectCreated, type Reply, type TestApi } from '../support/api.ts'
import { type Shown, unique } from '../support/given.ts'
import type { OpenIdPeer } from '../support/peers/openid.ts'

/** Stores a provider, which accepts this service. */
export async function givenProvider(
  api: TestApi,
  peer: OpenIdPeer,
  overrides: Record<string, unknown> = {},
): Promise<Shown> {
  const source = {
    name: unique('provider'),
    issuer: peer.issuer,
    ...peer.client,
    onthefly_register: true,
    ...overrides,
  }
  const made = await expectCreated(api.admin.post('/api/auth_source_oidcs', { auth_source_oidc: source }))
  peer.accept(callbackOf(made.id))
  return made
}

/** The address to which a provider sends browsers of tests back. */
export function callbackOf(id: number, origin = 'http://localhost'): string {
  return `${origin}/api/auth_source_oidcs/${id}/callback`
}

/** A login that was begun. */
export interface Begun {
  readonly url: string
  readonly cookie: string
}

/** Begins a login. */
export async function beginLogin(api: TestApi, id: number, query = ''): Promise<Begun> {
  const reply = await api.nobody.get(`/api/auth_source_oidcs/${id}/login${query}`)
  return { url: String(reply.headers.location), cookie: cookieOf(reply) }
}

/** Comes back from the provider. */
export function comeBack(api: TestApi, answer: URL, cookie: string): Promise<Reply> {
  return api.nobody.get(`${answer.pathname}${answer.search}`, { cookie })
}

/** Logs in as a person at the provider; yields the last answer. */
export async function logInAt(api: TestApi, peer: OpenIdPeer, id: number, subject: string): Promise<Reply> {
  const { url, cookie } = await beginLogin(api, id)
  return url.startsWith('/')
    ? { ...(await api.nobody.get('/livez')), headers: { location: url } }
    : comeBack(api, await peer.logIn(url, subject), cookie)
}

/** The name and value of the cookie that an answer sets. */
export function cookieOf({ headers }: Reply): string {
  return String(headers['set-cookie'] ?? '').split(';', 1)[0] ?? ''
}

/** The code of a refused login; null for one that was let in. */
export function refusalOf({ headers }: Reply): string | null {
  return /login_error=(\w+)/.exec(String(headers.location))?.[1] ?? null
}
