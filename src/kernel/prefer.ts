import type { Input } from './definition.ts'

type Preference = 'respond-async' | `${'return' | 'handling'}=${string}`

/** Whether a request states the preference, e.g. `return=minimal` (RFC 7240). */
export function prefers({ headers = {} }: Input, preference: Preference): boolean {
  const stated = [headers.prefer ?? []].flat().flatMap((value) => value.split(/[,;]/))
  return stated.some((one) => one.replace(/[\s"]/g, '').toLowerCase() === preference)
}

/** Whether If-None-Match says that the client has this version: `*` or the tag, weak or not (RFC 9110 13.1.2). */
export function hasAlready(ifNoneMatch: unknown, etag: string): boolean {
  if (typeof ifNoneMatch !== 'string') return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
