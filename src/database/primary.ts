import pg from 'pg'
import { buildClientConfig, refuseStandby, type ServerConfig } from './connections.ts'

/** The server of a cluster that accepts writes. */
export interface Primary {
  /** Whether several servers are configured. */
  readonly isOneOfSeveral: boolean
  /** The address of the primary, as far as this process knows. */
  url(): string
  /**
   * Asks all servers at once and takes the first that answers and, of several, takes writes. {@throws AggregateError} with
   * the error of each when none does
   */
  find(): Promise<void>
}

/** Follows the primary among the servers in `config.url`. A single server is used if it answers. */
export function followPrimary(config: ServerConfig): Primary {
  const urls = splitServers(config.url)
  let current = urls[0] ?? config.url
  const isOneOfSeveral = urls.length > 1
  return {
    isOneOfSeveral,
    url: () => current,
    async find() {
      current = await Promise.any(urls.map((url) => ask(config, url, isOneOfSeveral)))
    },
  }
}

/** Makes a connection and closes it. Of several servers one that is read-only is refused. */
async function ask(config: ServerConfig, url: string, isOneOfSeveral: boolean): Promise<string> {
  const connectTimeoutMs = Math.min(config.connectTimeoutMs, LONGEST_WAIT_MS)
  const client = new pg.Client(buildClientConfig({ ...config, connectTimeoutMs }, url))
  client.on('error', () => undefined) // `connect` reports the error
  try {
    await client.connect()
    if (isOneOfSeveral) await refuseStandby(client)
    return url
  } finally {
    await client.end().catch(() => undefined)
  }
}

const LONGEST_WAIT_MS = 2000

/**
 * Splits an address that names several servers in libpq's form, `host1:5432,host2:5432` or `?host=/folder1,/folder2`, into
 * one for each, without `target_session_attrs`, because the primary is looked for here. An address of one server stays as it
 * is.
 */
export function splitServers(url: string): string[] {
  const [, start = '', servers = '', path = '', query] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)\??(.*)$/s.exec(url) ?? []
  const words = new URLSearchParams(query)
  const named = words.get('host')
  const hosts = (named ?? servers).split(',')
  if (hosts.length === 1) return [url]
  const ports = words.get('port')?.split(',') ?? []
  words.delete('target_session_attrs')
  return hosts.map((host, at) => {
    const own = new URLSearchParams(words)
    const port = ports[at] ?? ports[0]
    if (named !== null) own.set('host', host)
    if (port) own.set('port', port)
    return `${start}${named === null ? host : servers}${path}${own.size > 0 ? `?${own}` : ''}`
  })
}
