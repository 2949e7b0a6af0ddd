import type { Input } from './route.ts'

/** The header with the reason for a request, for programs that cannot change the query. */
export const REASON_HEADER = 'millwright-reason'

/** Reads the reason for seeing hidden values from the query, or else from the header; null without one. */
export function readReason({ query, headers = {} }: Pick<Input, 'query' | 'headers'>): string | null {
  const header = headers[REASON_HEADER]
  // Headers are bytes, which Node reads as Latin-1.
  const sent = query.reason ?? (typeof header === 'string' ? Buffer.from(header, 'latin1').toString() : '')
  const reason = typeof sent === 'string' ? sent.trim() : ''
  return reason === '' ? null : reason
}
