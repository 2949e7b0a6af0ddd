/** Finds the servers of a source, and their addresses. */
import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { type Deadline, withinDeadline } from './deadline.ts'
import { DirectoryError } from './errors.ts'
import type { DirectorySource } from './source.ts'

/** A server by name or address. */
export interface Server {
  readonly host: string
  readonly port: number
}

/** An IP address; the family is 4 or 6. */
export interface Address {
  readonly address: string
  readonly family: number
}

/** Finds addresses. A name is looked up once at a time, and each answer is kept for half a minute. */
export interface Resolver {
  addresses(host: string, limit: Deadline): Promise<readonly Address[]>
}

const LOOKUP_MS = 4_000
const KEPT_MS = 30_000

/** Formats a server as `host:port`. */
export function formatServer({ host, port }: Server): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Lists the servers of a source in the order in which to try them; a service record (`_ldap._tcp.…`) is looked up. */
export async function serversOf(source: DirectorySource, limit: Deadline): Promise<Server[]> {
  const names = source.host.split(/[\s,]+/).filter((name) => name !== '')
  const servers: Server[] = []
  for (const name of names) {
    if (name.startsWith('_')) servers.push(...(await loadServiceRecords(name, limit)))
    else servers.push(readServer(name, source.port))
  }
  if (servers.length === 0) throw new DirectoryError('unresolved', 'resolve', { detail: 'the host is blank' })
  return servers
}

/**
 * Creates a resolver for one directory. The system's lookup occupies one of few threads until it ends, however long the name
 * servers take; so a name that is still being looked up is not asked for again.
 */
export function openResolver(): Resolver {
  const pending = new Map<string, Promise<readonly Address[]>>()
  const known = new Map<string, { until: number; addresses: readonly Address[] }>()
  return {
    async addresses(host, limit) {
      const family = isIP(host)
      if (family) return [{ address: host, family }]
      const kept = known.get(host)
      if (kept && kept.until > performance.now()) return kept.addresses
      const asked = pending.get(host) ?? ask(host)
      return withinDeadline(
        limit.within(LOOKUP_MS),
        asked,
        () => new DirectoryError('timeout', 'resolve', { detail: host }),
      )
    },
  }

  function ask(host: string): Promise<readonly Address[]> {
    const asked = lookUp(host)
      .then((addresses) => {
        known.set(host, { until: performance.now() + KEPT_MS, addresses })
        return addresses
      })
      .finally(() => pending.delete(host))
    pending.set(host, asked)
    return asked
  }
}

async function lookUp(host: string): Promise<readonly Address[]> {
  try {
    return await dns.lookup(host, { all: true })
  } catch (cause) {
    throw new DirectoryError('unresolved', 'resolve', { detail: host, cause })
  }
}

async function loadServiceRecords(name: string, limit: Deadline): Promise<Server[]> {
  const domain = name.replace(/^(?:_[^.]+\.)+/, '')
  const late = () => new DirectoryError('timeout', 'resolve', { detail: name })
  const records = await withinDeadline(limit.within(LOOKUP_MS), dns.resolveSrv(name), late).catch((cause: unknown) => {
    if (cause instanceof DirectoryError) throw cause
    throw new DirectoryError('unresolved', 'resolve', { detail: `no service records for ${name}`, cause })
  })
  const servers = records
    .filter((record) => isWithin(record.name, domain))
    .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
    .map((record) => ({ host: record.name, port: record.port }))
  if (servers.length === 0)
    throw new DirectoryError('unresolved', 'resolve', { detail: `${name} names no server of ${domain}` })
  return servers
}

/**
 * Tells whether a host lies within a domain. DNS answers can be forged, so that service records may only name servers in
 * their own domain, which certificates then prove.
 */
function isWithin(host: string, domain: string): boolean {
  return `.${host}`.toLowerCase().endsWith(`.${domain}`.toLowerCase())
}

/** Parses `host`, `host:port`, `[::1]:389` or a bare IPv6 address. */
function readServer(text: string, usual: number): Server {
  const parts = isIP(text) === 6 ? ['', text] : /^(?:\[([^\]]+)\]|([^:/]+))(?::(\d{1,5}))?$/.exec(text)
  const host = parts?.[1] ?? parts?.[2]
  const port = parts?.[3] ? Number(parts[3]) : usual
  if (!host || port < 1 || port > 65_535) {
    throw new DirectoryError('unresolved', 'resolve', { detail: host ? `${host}, port ${port}` : text })
  }
  return { host, port }
}
