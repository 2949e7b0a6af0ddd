import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { ProxyAccess } from '../../context.ts'

/** Whom a connection trusts and who it says we are. */
export type Trust = SecureContext

/** From the settings of a proxy: its own authorities and nobody else, or all that this machine trusts. */
export function trustOf({ certificate, key, authorities }: ProxyAccess['tls'] = {}): Trust | 'unreadable' {
  const given = authorities?.trim()
  if ((given && !/-----BEGIN [A-Z ]*CERTIFICATE-----/.test(given)) || Boolean(certificate) !== Boolean(key))
    return 'unreadable'
  try {
    const ca = given ? [given] : systemAuthorities()
    return createSecureContext({ cert: certificate, key, ca, minVersion: 'TLSv1.2', allowPartialTrustChain: true })
  } catch {
    return 'unreadable' // what OpenSSL says may quote what it has read
  }
}

function systemAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
}
