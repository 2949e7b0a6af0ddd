import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser says that another site made this request up (Fetch Metadata, RFC 6454). Programs that are no browsers
 * say nothing of that.
 */
export function isForeign({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()
}
