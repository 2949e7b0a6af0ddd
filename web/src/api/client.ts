import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/api.d.ts'
import { refusalOf } from './allowed.ts'
import { ApiError, readError } from './error.ts'
import { readCurrentScope } from './scope.ts'
import { renewCsrf, tokenOfSession, waitForLogin } from './session.ts'

/** The path under which browsers reach the service, from the <base> of the shell. */
export const BASE = new URL('./', document.baseURI).pathname

/**
 * Sends a request to the API with the CSRF token of the session, in the chosen organization and location. When the session
 * has expired, the user logs in again and the request is repeated. {@throws ApiError} for every answer that is not a success
 */
async function send(url: URL, init: RequestInit): Promise<Response> {
  const refusal = init.method === 'GET' ? refusalOf(`/${url.pathname.slice(BASE.length)}`) : null
  if (refusal) throw refusal
  const target = withScope(url)
  const response = await attempt(target, init)
  if (response.status !== 401) return requireSuccess(response)
  const sent = tokenOfSession()
  if (!(await renewCsrf())) await waitForLogin()
  // The session was all right: what was refused is a proof, and a second one would count as another wrong one.
  else if (tokenOfSession() === sent && url.pathname.endsWith('/session/proof')) return requireSuccess(response)
  return requireSuccess(await attempt(target, init))
}

async function attempt(url: URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  if (init.method !== 'GET') {
    headers.set('x-csrf-token', tokenOfSession())
    headers.append('prefer', 'errors=by-field')
  }
  try {
    return await fetch(url, { ...init, headers })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError({ status: 0, message: '' })
  }
}

async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response
  throw await readError(response)
}

/** The API with the types of its description, for handmade pages: `api.GET('/api/hosts', …)`. */
export const api: Client<paths> = createClient<paths>({
  baseUrl: BASE.replace(/\/$/, ''),
  // HTTP/1 cannot send a body that is a stream.
  fetch: async (request) => {
    const { url, method, headers, signal } = request
    if (method === 'GET') return send(new URL(url), { method, headers, signal })
    // The service refuses what a form of another site could send: every write declares JSON, even without a body.
    headers.set('content-type', 'application/json')
    const body = await request.text()
    return send(new URL(url), { method, headers, signal, ...(body !== '' && { body }) })
  },
})

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

interface RequestOptions {
  readonly method?: string
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Answered {
  // biome-ignore lint/suspicious/noExplicitAny: pages that are derived treat records of all resources alike
  readonly body: any
  readonly etag: string | null
  /** The cursor of the next page, where a list is walked by key and goes on. */
  readonly after: string | null
}

/** Sends a request to a path that is only known at run time, for pages that are derived from descriptions. */
export async function sendRequest(
  path: string,
  { method = 'GET', query = {}, body, headers, signal }: RequestOptions = {},
): Promise<Answered> {
  const url = new URL(BASE.replace(/\/$/, '') + path, location.origin)
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one))
  const response = await send(url, {
    method,
    // A request without headers takes the answer to what the shell has asked for already.
    headers: {
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  const [, next = ''] = /<[^>?]*\?([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return {
    body: text === '' ? null : JSON.parse(text),
    etag: response.headers.get('etag'),
    after: new URLSearchParams(next).get('after'),
  }
}

/** Adds the scope of the page's address, which takes precedence over that of the session; a blank one means any. */
function withScope(given: URL): URL {
  const url = new URL(given)
  const { organization, location } = readCurrentScope()
  if (!url.searchParams.has('organization_id')) url.searchParams.set('organization_id', organization ?? '')
  if (!url.searchParams.has('location_id')) url.searchParams.set('location_id', location ?? '')
  return url
}
