import type { Origin } from '../../../context.ts'

/** Builds the address of this service as the client of a request knows it: without the usual port, and without a slash at its end. */
export function buildOwnAddress({
  host = 'localhost',
  base = '',
  secure,
}: Pick<Origin, 'host' | 'base' | 'secure'>): string {
  return `${new URL(`${secure ? 'https' : 'http'}://${host}`).origin}${base}`
}

/** Builds the address to which a provider sends browsers back. Each provider has its own, so that no other can answer for it. */
export function buildRedirectUri(origin: Pick<Origin, 'host' | 'base' | 'secure'>, source: number): string {
  return `${buildOwnAddress(origin)}/api/auth_source_oidcs/${source}/callback`
}
