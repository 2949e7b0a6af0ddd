import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { readRest } from '../arguments.ts'
import { readUrl } from '../commands/contexts.ts'
import type { Session } from '../commands/session.ts'
import { EXIT, usage } from '../failure.ts'
import { fileOf } from '../request.ts'
import { vendorTargetOf, withCommonFlags } from '../taking.ts'
import { createAfterWrites } from './after-writes.ts'
import { createComparison } from './comparison.ts'
import { createReportServer, percentOf } from './page.ts'
import { createProxy } from './proxy.ts'
import { parseRoute } from './requests.ts'
import { createShadow } from './shadow.ts'

const FORM =
  'usage: millwright shadow --upstream URL [--upstream-ca FILE] [--server URL] [--listen [HOST:]PORT] [--certificate FILE --certificate-key FILE] [--page [HOST:]PORT] [--report FILE] [--after-writes COMMAND]'

const FLAGS = ['upstream', 'upstream-ca', 'listen', 'certificate', 'certificate-key', 'page', 'report', 'after-writes']

/**
 * Stands before an old server: answers all requests by it, sends those that read to the vendor port of this service too, and
 * reports how both answers differ, until it is interrupted.
 */
export async function runShadow(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, withCommonFlags(FLAGS))
  session.use(rest.values)
  const readOption = (name: string) => rest.values.get(name)?.at(-1)
  const named = readOption('upstream')
  if (named === undefined || rest.words.length > 0) throw usage(FORM)
  const upstream = { url: readUrl(named), ca: readOption('upstream-ca') }
  const here = vendorTargetOf(session)
  const command = readOption('after-writes')
  const afterWrites = command === undefined ? null : createAfterWrites(command)
  const comparison = createComparison(upstream.url, afterWrites?.report)
  const shadow = createShadow({
    upstream,
    here,
    hasLogin: here.token !== undefined,
    comparison,
    isBusy: () => proxy.isBusy(),
  })
  const proxy = createProxy({
    upstream: new URL(upstream.url),
    ca: fileOf('upstream-ca', upstream.ca),
    certificate: readCertificate(readOption('certificate'), readOption('certificate-key')),
    isKept: (method, url) => method === 'GET' && parseRoute(url) !== null,
    answered: shadow.compare,
    accepted(method) {
      if (READING.has(method)) return
      comparison.countWrite()
      afterWrites?.note()
    },
  })
  const page = createReportServer(comparison)
  const proxyAddress = await listen(proxy.server, 'listen', readOption('listen') ?? '127.0.0.1:3080')
  const pageAddress = await listen(page, 'page', readOption('page') ?? '127.0.0.1:3081')
  const scheme = readOption('certificate') === undefined ? 'http' : 'https'
  await session.write(
    `${scheme}://${proxyAddress} answers as ${upstream.url} does\nhttp://${pageAddress} reports the differences\n`,
  )
  const store = () => writeReport(readOption('report'), comparison.report())
  const timer = setInterval(store, STORE_MS)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  clearInterval(timer)
  await close(proxy.server)
  await shadow.idle()
  await afterWrites?.stop()
  await close(page)
  store()
  const { compared, equal, differences } = comparison.report()
  const share = compared === 0 ? '' : ` (${percentOf({ compared, equal })})`
  await session.write(`${equal} of ${compared} answers were equal${share}; ${differences.length} differences\n`)
  return EXIT.done
}

const STORE_MS = 10_000

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

async function listen(server: Server, flag: string, text: string): Promise<string> {
  const match = /^(?:(.+):)?(\d{1,5})$/.exec(text)
  if (!match) throw usage(`--${flag} is a port with or without an address, such as 0.0.0.0:443`)
  server.listen(Number(match[2]), match[1]?.replace(/^\[|\]$/g, '') ?? '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw usage(`--${flag}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { address, port, family } = server.address() as AddressInfo // it listens on a port
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function close(server: Server & { readonly closeAllConnections?: () => void }): Promise<void> {
  server.close()
  server.closeAllConnections?.()
  await once(server, 'close')
}

function readCertificate(
  certificate: string | undefined,
  key: string | undefined,
): { cert: Buffer; key: Buffer } | null {
  const [cert, secret] = [fileOf('certificate', certificate), fileOf('certificate-key', key)]
  if (!cert && !secret) return null
  if (!cert || !secret) throw usage('--certificate and --certificate-key belong together')
  return { cert, key: secret }
}

/** Writes the report beside its place and renames it, so that readers never see half of one. */
function writeReport(path: string | undefined, report: object): void {
  if (path === undefined) return
  writeFileSync(`${path}.new`, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
