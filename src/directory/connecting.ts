/**
 * Opens connections to a source that are bound as its service account. Servers are tried in turn, each with a share of the
 * time.
 */
import type { SecureContext } from 'node:tls'
import { Connection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { DirectoryError, isOutage, retold } from './errors.ts'
import type { ServerHealth } from './health.ts'
import { escapeDnValue } from './names.ts'
import { formatServer, type Resolver, type Server, serversOf } from './servers.ts'
import { type DirectorySource, usesOwnAccount } from './source.ts'
import { encryptSocket, inspect, openTcp } from './transport.ts'

/** The name and password to bind with; null leaves the connection as it is after connecting. */
export interface Credentials {
  readonly name: string
  readonly password: string
}

/** What connecting needs besides the source. */
export interface ConnectOptions {
  readonly resolver: Resolver
  readonly context: SecureContext | null
  readonly health: ServerHealth
}

/** Connects to the first server that works. {@throws DirectoryError} the error of the last server when none does */
export async function connectToAny(
  source: DirectorySource,
  credentials: Credentials | null,
  { resolver, context, health }: ConnectOptions,
  limit: Deadline,
): Promise<Connection> {
  const servers = health.ordered(await serversOf(source, limit))
  let last: unknown
  for (const [at, server] of servers.entries()) {
    const share = limit.within(limit.remaining() / Math.min(3, servers.length - at + 1))
    try {
      const connection = await connectTo(source, server, credentials, resolver, context, share)
      health.succeeded(server)
      return connection
    } catch (error) {
      if (!isOutage(error)) throw error
      health.failed(server)
      last = error
    }
  }
  throw last
}

/** Connects to one server, encrypts the connection as the source asks, and binds. */
export async function connectTo(
  source: DirectorySource,
  server: Server,
  credentials: Credentials | null,
  resolver: Resolver,
  context: SecureContext | null,
  limit: Deadline,
): Promise<Connection> {
  const tcp = await openTcp(server, resolver, limit)
  const socket = await encryptSocket(tcp, server, source.security, context, limit).catch((error: unknown) =>
    explainHangUp(error, source, server, resolver, limit),
  )
  const connection = new Connection(server, socket, source.security !== 'none')
  if (!credentials) return connection
  try {
    await connection.bindAccount(credentials.name, credentials.password, limit)
    return connection
  } catch (error) {
    const silent = connection.silent
    connection.close()
    return silent ? explainHangUp(error, source, server, resolver, limit) : Promise.reject(error)
  }
}

/**
 * Yields the credentials of the service account; blank ones bind anonymously. Fails when the account depends on a login and
 * cannot be used alone.
 */
export function serviceCredentialsOf(source: DirectorySource): Credentials {
  if (usesOwnAccount(source)) throw new DirectoryError('account_needed', 'bind')
  const account = source.account?.trim() ?? ''
  const password = source.accountPassword ?? ''
  if (account === '') return { name: '', password: '' }
  if (password === '') throw new DirectoryError('password_missing', 'bind')
  return { name: accountNameOf(source, account), password }
}

/**
 * Yields the credentials for a source whose account contains `$login`, with the login filled in; in a DN it is escaped
 * (core-api §6.3).
 */
export function ownCredentialsOf(source: DirectorySource, login: string, password: string): Credentials {
  const account = source.account?.trim() ?? ''
  const value = account.includes('=') ? escapeDnValue(login) : login
  return {
    name: accountNameOf(
      source,
      account.replace('$login', () => value),
    ),
    password,
  }
}

/** Yields the account as a DN: the server type directory_a also accepts a bare account name (core-api §6.4). */
function accountNameOf(source: DirectorySource, account: string): string {
  if (source.serverType !== 'directory_a' || account.includes('=')) return account
  return `uid=${escapeDnValue(account)},cn=users,cn=accounts,${source.baseDn}`
}

/** Finds out whether a server that hangs up at once expects TLS, with one more connection, which carries no password. */
export async function explainHangUp(
  error: unknown,
  source: DirectorySource,
  server: Server,
  resolver: Resolver,
  limit: Deadline,
): Promise<never> {
  const mute = error instanceof DirectoryError && (error.code === 'closed' || error.code === 'timeout')
  if (!mute || source.security === 'tls' || limit.remaining() < 50) throw error
  const probe = await openTcp(server, resolver, limit)
    .then((socket) => inspect(socket, server, 'tls', limit))
    .catch(() => null)
  if (!probe) throw error
  probe.destroy()
  throw retold(new DirectoryError('tls_expected', 'tls'), 'tls', { server: formatServer(server), cause: error })
}
