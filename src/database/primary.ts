import pg from 'pg'
import { buildClientConfig, refuseStandby, type ServerConfig } from './connections.ts'
import { splitServers } from './server-list.ts'

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
