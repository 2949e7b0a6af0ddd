import type { Input } from './route.ts'

type Preference = `${'return' | 'handling' | 'errors'}=${string}`

/** Whether a request states the preference in its `Prefer` header, e.g. `return=minimal` (RFC 7240). */
export function prefers({ headers = {} }: Input, preference: Preference): boolean {
  const stated = [headers.prefer ?? []].flat().flatMap((value) => value.split(/[,;]/))
  return stated.some((one) => one.replace(/[\s"]/g, '').toLowerCase() === preference)
}
