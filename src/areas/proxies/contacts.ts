import { LRUCache } from 'lru-cache'
import type { Contact, ProxyContacts } from '../../context.ts'

/** The number of URLs without an answer that are remembered; URLs of proxies that were never stored count, too. */
const MOST = 1_000

/** Opens an empty memory of the contacts with smart proxies. */
export function openProxyContacts(): ProxyContacts {
  const failures = new LRUCache<string, Contact>({ max: MOST })
  return {
    succeeded: (url) => void failures.delete(url),
    failed: (url, message) => {
      failures.set(url, { state: 'ill', since: failures.get(url)?.since ?? new Date(), message })
    },
    ill: () => new Map(failures.entries()),
  }
}
