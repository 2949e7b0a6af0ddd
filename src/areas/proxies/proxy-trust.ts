import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { ProxyAccess } from '../../context.ts'

/** The trusted authorities of a connection, and our certificate. */
export type Trust = SecureContext

/** Builds the trust for proxies from the configuration: its authorities only, or else those of this machine. */
export function trustOf({ certificate, key, authorities }: ProxyAccess['tls'] = {}): Trust | 'unreadable' {
  const given = authorities?.trim()
  if ((given && !/-----BEGIN [A-Z ]*CERTIFICATE-----/.test(given)) || Boolean(certificate) !== Boolean(key))
    return 'unreadable'
  try {
    const ca = given ? [given] : loadSystemAuthorities()
    return createSecureContext({ cert: certificate, key, ca, minVersion: 'TLSv1.2', allowPartialTrustChain: true })
  } catch {
    return 'unreadable' // what OpenSSL says may quote what it has read
  }
}

function loadSystemAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
}
