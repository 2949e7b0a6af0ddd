import type { FastifyRequest } from 'fastify'

/**
 * Tells whether a browser reports that another site caused this request (Fetch Metadata, RFC 6454). Other programs report
 * nothing.
 */
export function isForeign({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()
}
