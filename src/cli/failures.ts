import type { Config } from '../config/config.ts'
import { isInUse } from '../postgresql/directory-lock.ts'

/** Says in one sentence why the service could not start or stop, and what to do where that is known. */
export function formatFailure(error: unknown, config: Config): string {
  const { code, syscall, port, hostname, message } = collectFacts(error)
  // The name of the address to listen on is looked up first; the name of a database may be unknown, too.
  if (syscall === 'listen' || (syscall === 'getaddrinfo' && hostname === config.host))
    return describeListenFailure(code, port ?? config.port, message, config)
  if (code === 'EACCES' && syscall === 'connect' && config.databaseUrl === null)
    return `the data directory ${config.dataDir} belongs to another account: run this as that account`
  if (code === NO_TABLE)
    return 'the database has no tables of this program yet: start the service once, or run millwright migrate'
  const reason = code === 'ENOENT' && syscall !== 'connect' ? null : DATABASE_REASONS[code]
  if (config.databaseUrl !== null && reason) {
    return `the database at ${withoutLogin(config.databaseUrl)} cannot be used: ${reason}`
  }
  return message
}

/** Prints why a command failed and, where the service itself has the database, the request to send instead. Yields 1. */
export function reportFailure(error: unknown, config: Config, request: string): 1 {
  process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
  if (config.databaseUrl === null && isInUse(error))
    process.stderr.write(`While the service runs on this data directory, ask it itself: ${request}\n`)
  return 1
}

const NO_TABLE = '42P01'

const DATABASE_REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there; is the server running',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  ENOENT: 'its socket does not exist; is the server running',
  ETIMEDOUT: 'it does not answer',
  '28000': 'it refuses this login',
  '28P01': 'it refuses this login or password',
  '3D000': 'there is no database of that name; create it first',
  '42501': 'this login may not create what is needed',
  '53300': 'it has no connection left; see --database-pool-size',
  '57P03': 'it is starting or stopping; try again',
}

function describeListenFailure(code: string, port: number, message: string, config: Config): string {
  const { host } = config
  const flag = flagOf(port, config)
  if (code === 'EADDRINUSE') {
    return `port ${port} on ${host} is in use by another program: stop that one, or choose another port with ${flag} (0 picks a free one)`
  }
  if (code === 'EACCES') return `this user may not listen on port ${port}: choose one above 1023 with ${flag}`
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine: choose another one with --host`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the host name ${host} is not known: choose another one with --host`
  return message
}

/** Yields the flag that sets the port which cannot be listened on. */
function flagOf(port: number, { metricsPort, vendorPort, port: main }: Config): string {
  if (port === main) return '--port'
  if (port === vendorPort) return '--vendor-port'
  return port === metricsPort ? '--metrics-port' : '--port'
}

interface Facts {
  readonly code: string
  readonly syscall: string
  readonly port: number | null
  /** The name that was looked up. */
  readonly hostname: string | null
  readonly message: string
}

/** Collects what is known about an error or its cause: a translated error keeps the original as its cause. */
function collectFacts(error: unknown): Facts {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  for (let one = error; one instanceof Error; one = one.cause) {
    if (!('code' in one) || !(String(one.code) in DATABASE_REASONS || one.code === NO_TABLE || 'syscall' in one))
      continue
    const syscall = 'syscall' in one ? String(one.syscall) : ''
    const port = 'port' in one && typeof one.port === 'number' ? one.port : null
    const hostname = 'hostname' in one && typeof one.hostname === 'string' ? one.hostname : null
    return { code: String(one.code), syscall, port, hostname, message }
  }
  return { code: '', syscall: '', port: null, hostname: null, message: message || 'an error without a message' }
}

function withoutLogin(url: string): string {
  // Not every address that drivers accept is a URL: some have no host.
  const [, host = '', path = ''] = /^\w+:\/\/(?:[^/?]*@)?([^/?]*)([^?]*)/.exec(url) ?? []
  return `${host || 'the local socket'}${path}`
}
