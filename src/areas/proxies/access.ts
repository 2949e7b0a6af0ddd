import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { ProxyAccess } from '../../context.ts'
import { openProxyContacts } from './contacts.ts'

/** The part of the configuration that names PEM files and programs; null: not set. */
interface ProxyFiles {
  readonly proxyCertificate: string | null
  readonly proxyKey: string | null
  readonly proxyCa: string | null
  readonly runCommands: readonly string[]
}

/** Reads the files. {@throws Error} naming an unusable one, so that the service does not start */
export function openProxyAccess({ proxyCertificate, proxyKey, proxyCa, runCommands }: ProxyFiles): ProxyAccess {
  if ((proxyCertificate === null) !== (proxyKey === null)) {
    throw new Error('proxy-certificate and proxy-key go together: set both or neither')
  }
  const certificate =
    proxyCertificate === null ? undefined : readPem(proxyCertificate, 'CERTIFICATE', 'proxy-certificate')
  const key = proxyKey === null ? undefined : readPem(proxyKey, 'PRIVATE KEY', 'proxy-key')
  const authorities = proxyCa === null ? undefined : readPem(proxyCa, 'CERTIFICATE', 'proxy-ca')
  refuseUnusableTls(`proxy-ca: ${proxyCa}`, { ca: authorities })
  refuseUnusableTls(`proxy-certificate and proxy-key: ${proxyCertificate}, ${proxyKey}`, { cert: certificate, key })
  const tls = { ...(certificate && { certificate }), ...(key && { key }), ...(authorities && { authorities }) }
  return { tls, commands: runCommands, contacts: openProxyContacts() }
}

/** Reads a PEM file. {@throws Error} naming the configuration key and the file */
export function readPem(path: string, what: string, name: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${name}: ${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause }) // node:fs throws these
  }
  if (!new RegExp(`-----BEGIN [A-Z ]*${what}-----`).test(text)) {
    throw new Error(`${name}: ${path} is not a ${what.toLowerCase()} in PEM format`)
  }
  return text
}

/** Refuses certificates and keys that OpenSSL does not accept. {@throws Error} */
export function refuseUnusableTls(
  what: string,
  parts: { cert?: string; key?: string; ca?: string } | Record<string, undefined>,
) {
  try {
    createSecureContext(parts)
  } catch {
    // OpenSSL's message may quote the file, so that it is not passed on.
    throw new Error(`${what} cannot be used: they must be PEM, belong together, and have no passphrase`)
  }
}
