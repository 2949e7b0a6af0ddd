import pg from 'pg'
import { clientConfig, refuseStandby, type ServerConfig } from './postgresql.ts'
import { splitServers } from './server-list.ts'

/** Which of the servers of a cluster takes writes. */
export interface Primary {
  /** Whether there are others that could be it. */
  readonly isOneOfSeveral: boolean
  /** Its address, as far as this process has found out. */
  url(): string
  /** Asks all servers at once, and takes the first that answers. {@throws AggregateError} of what each said when none does */
  find(): Promise<void>
}

/** Follows the primary among the servers that `config.url` names. A single one counts as long as it answers. */
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

/** A connection made and given up. Of several servers one that only reads does not count. */
async function ask(config: ServerConfig, url: string, isOneOfSeveral: boolean): Promise<string> {
  const connectTimeoutMs = Math.min(config.connectTimeoutMs, LONGEST_WAIT_MS)
  const client = new pg.Client(clientConfig({ ...config, connectTimeoutMs }, url))
  client.on('error', () => undefined) // it is told below
  try {
    await client.connect()
    if (isOneOfSeveral) await refuseStandby(client)
    return url
  } finally {
    await client.end().catch(() => undefined)
  }
}

const LONGEST_WAIT_MS = 2000
