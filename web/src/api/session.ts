import { useSyncExternalStore } from 'react'
import { ApiError, readError } from './error.ts'
import { signWithPasskey } from './passkeys.ts'

/** The user who is logged in, with their permissions. */
export interface Caller {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly admin: boolean
  readonly permissions: ReadonlySet<string>
}

export type Session =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'none' }
  /** `expired`: pages stay as they are, and the user has to log in again. */
  | { readonly kind: 'open'; readonly caller: Caller; readonly expired: boolean }

let session: Session = { kind: 'unknown' }
let csrf = ''
const listeners = new Set<() => void>()
/** Requests that wait for a new login. */
let waiting: PromiseWithResolvers<void> | null = null

/** Yields the session; the component is rendered again when it changes. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

/** Yields the session as it is now. */
export function readCurrentSession(): Session {
  return session
}

/** Yields the caller, on pages that require a login. */
export function useCaller(): Caller {
  const current = useSession()
  if (current.kind !== 'open') throw new Error('There is no caller outside of the shell')
  return current.caller
}

/** Tells whether the caller has one of these permissions; an empty list only requires a login. */
export function may(caller: Caller, permissions: readonly string[]): boolean {
  return caller.admin || permissions.length === 0 || permissions.some((one) => caller.permissions.has(one))
}

export function tokenOfSession(): string {
  return csrf
}

/**
 * Finds out whether the browser holds a session, and of whom: both requests are sent at once, because there usually is one.
 */
export async function openSession(): Promise<void> {
  try {
    const [hasSession, caller] = await Promise.all([renewCsrf(), ask('api/current_user/permissions', {})])
    if (hasSession) await takeCaller(caller)
    else change({ kind: 'none' })
  } catch {
    change({ kind: 'unreachable' })
  }
}

/** Requests the CSRF token of the session; false when there is no session any more. {@throws ApiError} without a network */
export async function renewCsrf(): Promise<boolean> {
  const response = await ask('api/session', {})
  if (response.status === 401 || response.status === 403) return false
  if (!response.ok) throw await readError(response)
  const renewed: { csrf_token: string } = await response.json()
  csrf = renewed.csrf_token
  return true
}

/** Tells whether a login was refused because the account has a second factor, whose code is missing. */
export function isCodeMissing(error: unknown): boolean {
  return error instanceof ApiError && error.message.startsWith('The second factor is missing')
}

/** What is proven beside the password: nothing yet, a code, or a passkey that the browser asks for. */
export type Proof = 'none' | 'passkey' | { readonly code: string }

/** Starts a session with a password and, where the account has one, a proof of its second factor. {@throws ApiError} */
export async function logIn(login: string, password: string, proof: Proof): Promise<void> {
  const bytes = new TextEncoder().encode(`${login}:${password}`)
  const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`
  const send = (path: string, body: object) =>
    ask(path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(body),
    })
  let proven = {}
  if (proof === 'passkey') {
    const asked = await send('api/session/passkey', {})
    if (!asked.ok) throw await readError(asked)
    const { options }: { options: Readonly<Record<string, unknown>> } = await asked.json()
    proven = { passkey: await signWithPasskey(options) }
  } else if (proof !== 'none') proven = proof
  const response = await send('api/session', proven)
  if (!response.ok) throw await readError(response)
  const started: { csrf_token: string } = await response.json()
  csrf = started.csrf_token
  const before = session.kind === 'open' ? session.caller.id : null
  await loadCaller()
  // The page shows what another user was allowed to see.
  if (before !== null && session.kind === 'open' && session.caller.id !== before) location.reload()
  waiting?.resolve()
  waiting = null
}

/** Resolves when the user has logged in again; the page stays as it is. */
export function waitForLogin(): Promise<void> {
  if (session.kind !== 'open') throw new ApiError({ status: 401, message: '' })
  waiting ??= Promise.withResolvers<void>()
  change({ ...session, expired: true })
  return waiting.promise
}

/** Ends the session, here and at the provider of the login, and removes everything of it from the page. */
export async function logOut(home: string): Promise<void> {
  const headers = { 'x-csrf-token': csrf, 'content-type': 'application/json' }
  const response = await ask('api/session', { method: 'DELETE', headers })
  const ended: { logout_url?: string | null } = response.ok ? await response.json() : {}
  location.assign(ended.logout_url ?? home)
}

/** A provider through which users may log in. */
export interface LoginProvider {
  readonly id: number
  readonly name: string
}

/** Loads the providers that the login page offers. */
export async function loadLoginProviders(): Promise<readonly LoginProvider[]> {
  const response = await ask('api/login_providers', {}).catch(() => null)
  if (!response?.ok) return []
  const { providers }: { providers: readonly LoginProvider[] } = await response.json()
  return providers
}

async function loadCaller(): Promise<void> {
  await takeCaller(await ask('api/current_user/permissions', {}))
}

async function takeCaller(response: Response): Promise<void> {
  if (!response.ok) throw await readError(response)
  const { permissions, ...caller }: Omit<Caller, 'permissions'> & { permissions: string[] } = await response.json()
  change({ kind: 'open', caller: { ...caller, permissions: new Set(permissions) }, expired: false })
}

/** Loads the text that is shown before the login. */
export async function loadLoginText(): Promise<string> {
  const response = await ask('api/login_text', {}).catch(() => null)
  if (!response?.ok) return ''
  const { login_text }: { login_text: string } = await response.json()
  return login_text
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    // Without headers, so that a browser takes the answer to what the shell has asked for already.
    return await fetch(new URL(path, document.baseURI), init)
  } catch {
    throw new ApiError({ status: 0, message: '' })
  }
}

function change(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
