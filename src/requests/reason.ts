import type { Input } from './route.ts'

/** The header with the reason for a request, for programs that cannot change the query. */
export const REASON_HEADER = 'millwright-reason'

/** Reads why the caller needs what is secret: from the query, or else from a header; null for none. */
export function readReason({ query, headers = {} }: Pick<Input, 'query' | 'headers'>): string | null {
  const header = headers[REASON_HEADER]
  // Headers are bytes, which Node reads as Latin-1.
  const sent = query.reason ?? (typeof header === 'string' ? Buffer.from(header, 'latin1').toString() : '')
  const reason = typeof sent === 'string' ? sent.trim() : ''
  return reason === '' ? null : reason
}
