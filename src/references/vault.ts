import { readFile } from 'node:fs/promises'
import { membersOf } from '../lib/values.ts'
import { exchange, type Received, type Server } from './exchange.ts'
import { MOST_BYTES } from './file.ts'
import type { Reference } from './reference.ts'
import { UnreadableReference } from './unreadable-reference.ts'

/** How the service reaches Vault or OpenBao, and logs in there: by a file with a token, or as an AppRole. */
export interface VaultSettings extends Server {
  readonly namespace: string | null
  readonly tokenFile: string | null
  readonly roleId: string | null
  readonly secretIdFile: string | null
  /** The mount of the KV engine where its name has slashes; null: the first segment of each path. */
  readonly mount: string | null
}

/** Reads the value of a reference. {@throws UnreadableReference} */
type ReadVault = (reference: Extract<Reference, { readonly kind: 'vault' }>) => Promise<string>

/** Creates the reader of secrets in the KV engine version 2 of one server. */
export function createVault(settings: VaultSettings): ReadVault {
  const logIn = createLogin(settings)
  return async ({ path, key }) => {
    const [mount, rest] = splitPath(path, settings.mount)
    const target = `/v1/${encodePath(mount)}/data/${encodePath(rest)}`
    const read = (token: string) =>
      exchange(settings, { method: 'GET', path: target, headers: buildHeaders(settings, token) })
    const token = await logIn()
    const first = await read(token.value)
    // 403 is also the answer to a token that has expired or was revoked: one fresh login tells these apart.
    const isOld = first.status === 403 && token.isOld
    return readValue(isOld ? await read((await logIn(token.value)).value) : first, key)
  }
}

interface Token {
  readonly value: string
  /** Whether an earlier request got this token: it may have been revoked since. */
  readonly isOld: boolean
}

/** Creates the function that yields a token; `refused` is one that no longer counts. Concurrent requests share a login. */
function createLogin(settings: VaultSettings): (refused?: string) => Promise<Token> {
  const { tokenFile, roleId } = settings
  if (tokenFile !== null) return async () => ({ value: await readOwnFile(tokenFile), isOld: false })
  let known: { readonly value: string; readonly until: number } | null = null
  let running: Promise<string> | null = null
  return async (refused) => {
    if (known && known.value !== refused && Date.now() < known.until) return { value: known.value, isOld: true }
    running ??= logInByRole(settings, roleId)
      .then(({ token, seconds }) => {
        known = { value: token, until: seconds > 0 ? Date.now() + seconds * 900 : Number.POSITIVE_INFINITY }
        return token
      })
      .finally(() => {
        running = null
      })
    return { value: await running, isOld: false }
  }
}

async function logInByRole(settings: VaultSettings, role_id: string | null) {
  const secret_id = settings.secretIdFile === null ? undefined : await readOwnFile(settings.secretIdFile)
  const { status, body } = await exchange(settings, {
    method: 'POST',
    path: '/v1/auth/approle/login',
    headers: buildHeaders(settings, null),
    body: { role_id, secret_id },
  })
  refuseUnready(status)
  const auth = membersOf(membersOf(body).auth)
  const { client_token: token, lease_duration: seconds } = auth
  if (status >= 400)
    throw new UnreadableReference('login_refused', `the login as an AppRole is answered with ${status}`)
  if (typeof token !== 'string') throw new UnreadableReference('not_understood', 'the login answers no client_token')
  return { token, seconds: typeof seconds === 'number' ? seconds : 0 }
}

async function readOwnFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new UnreadableReference('no_login', `${path} cannot be read`, error)
  }
}

function buildHeaders({ namespace }: VaultSettings, token: string | null): Record<string, string> {
  return {
    'x-vault-request': 'true',
    ...(token !== null && { 'x-vault-token': token }),
    ...(namespace !== null && { 'x-vault-namespace': namespace }),
  }
}

function splitPath(path: string, mount: string | null): readonly [string, string] {
  const end = mount === null ? path.indexOf('/') : mount.length
  if (mount !== null && !path.startsWith(`${mount}/`))
    throw new UnreadableReference('denied', `the path is not below the mount ${mount}`)
  return [path.slice(0, end), path.slice(end + 1)]
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function refuseUnready(status: number): void {
  if (status === 429 || status >= 472) throw new UnreadableReference('not_ready', `Vault answers with ${status}`)
}

function readValue({ status, body }: Received, key: string): string {
  refuseUnready(status)
  if (status === 403 || status === 401) throw new UnreadableReference('denied')
  // A deleted version is answered with 404, too, and metadata.
  if (status === 404) throw new UnreadableReference('no_path')
  const found = membersOf(membersOf(body).data).data
  if (status !== 200 || typeof found !== 'object' || found === null)
    throw new UnreadableReference('not_understood', `Vault answers with ${status}, without data`)
  const values = membersOf(found)
  if (!Object.hasOwn(values, key)) throw new UnreadableReference('no_key')
  const value = values[key]
  if (typeof value !== 'string') throw new UnreadableReference('not_text')
  if (Buffer.byteLength(value) > MOST_BYTES) throw new UnreadableReference('too_large')
  return value
}
