import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { join } from 'node:path'
import type { Config, Settings } from '../config/config.ts'

/**
 * Prints what a host gets, for servers of the configuration engine that run this command for each catalogue
 * (smart-parameters §9.2). While the service is unreachable the last answer is printed; problems are reported on standard
 * error. Resolves with 0 when something was printed, otherwise with 1.
 */
export async function classifyNode({ config }: Settings, certname: string): Promise<number> {
  if (!CERTNAME.test(certname)) return reportFailure(`${JSON.stringify(certname)} is not the name of a host`)
  const until = performance.now() + config.encTimeoutMs
  const kept = await readKept(config, certname)
  try {
    const service = await openService(config)
    await sendFacts(config, service, certname, until)
    const path = `/node/${encodeURIComponent(certname)}?format=yml`
    const answer = await exchange(service, path, until, kept ? { 'if-none-match': kept.etag } : {})
    if (answer.status === 304 && kept) return printDocument(kept.document)
    if (answer.status === 200) {
      await keep(config, certname, answer)
      return printDocument(answer.text)
    }
    const why = `the service answered ${answer.status} for ${certname} ${answer.text.trim()}`.trim()
    return answer.status >= 500 ? printKept(kept, why) : reportFailure(why)
  } catch (error) {
    return printKept(kept, `the service gave no classification of ${certname}: ${reasonOf(error)}`)
  }
}

const CERTNAME = /^[A-Za-z0-9_][\w.-]{0,254}$/

/** How to reach the service, with the certificate and key that this machine presents (PEM). */
interface Service {
  readonly url: URL
  readonly token: string | null
  readonly tls: { readonly cert?: string; readonly key?: string; readonly ca?: string }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly etag: string | null
}

/** The last answer of the service, kept in a file. */
interface Kept {
  readonly etag: string
  readonly document: string
}

async function openService({ encUrl, encToken, encCertificate, encKey, encCa }: Config): Promise<Service> {
  if (encUrl === null || !/^https?:\/\//.test(encUrl) || !URL.canParse(encUrl))
    throw new Error('enc-url must be the address of the service, e.g. https://millwright.example.test')
  if ((encCertificate === null) !== (encKey === null))
    throw new Error('enc-certificate and enc-key go together: set both or neither')
  const [cert, key, ca] = await Promise.all([encCertificate, encKey, encCa].map(textOf))
  return {
    url: new URL(encUrl),
    token: encToken,
    tls: { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) },
  }
}

async function textOf(path: string | null): Promise<string | undefined> {
  return path === null ? undefined : readFile(path, 'utf8')
}

/** A failure to send facts is ignored: the service still has older ones. */
async function sendFacts({ encFacts }: Config, service: Service, certname: string, until: number): Promise<void> {
  if (encFacts === null) return
  try {
    const read: unknown = JSON.parse(await readFile(join(encFacts, `${certname}.json`), 'utf8'))
    const body = JSON.stringify({ name: certname, certname, facts: factsOf(read) })
    const { status, text } = await exchange(
      service,
      '/api/hosts/facts',
      until,
      { 'content-type': 'application/json' },
      body,
    )
    if (status >= 300) warn(`the facts of ${certname} were not taken: ${status} ${text.trim()}`)
  } catch (error) {
    warn(`the facts of ${certname} were not sent: ${reasonOf(error)}`)
  }
}

/** Configuration servers store facts under `values`, next to other keys about the host. */
function factsOf(read: unknown): unknown {
  const isWhole = typeof read === 'object' && read !== null && 'values' in read
  return isWhole ? read.values : read
}

function exchange(
  { url, token, tls }: Service,
  path: string,
  until: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> {
  const to = new URL(url.pathname.replace(/\/$/, '') + path, url)
  const request = to.protocol === 'https:' ? requestTls : requestPlain
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())))
  const login = token === null ? {} : { authorization: `Bearer ${token}` }
  const options = { ...tls, signal, method: body === undefined ? 'GET' : 'POST', headers: { ...login, ...headers } }
  return new Promise((resolve, reject) => {
    const sent = request(to, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, text: Buffer.concat(chunks).toString('utf8'), etag: headers.etag ?? null })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Loads the kept answer for the host; null when there is none, or it is incomplete. */
async function readKept({ encCache }: Config, certname: string): Promise<Kept | null> {
  if (encCache === null) return null
  const text = await readFile(keptPathOf(encCache, certname), 'utf8').catch(() => '')
  const [, etag, digest] = /^# (\S+) (\S+)\n/.exec(text) ?? []
  const document = text.slice(text.indexOf('\n') + 1)
  return etag !== undefined && digest === digestOf(document) ? { etag, document } : null
}

/** Writes a temporary file and renames it, so that a concurrent reader finds either the old answer or the new one. */
async function keep({ encCache }: Config, certname: string, { text, etag }: Answer): Promise<void> {
  if (encCache === null) return
  try {
    const path = keptPathOf(encCache, certname)
    await mkdir(encCache, { recursive: true, mode: 0o700 })
    await writeFile(`${path}.${process.pid}`, `# ${etag ?? '""'} ${digestOf(text)}\n${text}`, { mode: 0o600 })
    await rename(`${path}.${process.pid}`, path)
  } catch (error) {
    warn(`the answer for ${certname} was not kept: ${reasonOf(error)}`)
  }
}

function keptPathOf(folder: string, certname: string): string {
  return join(folder, `${certname}.yaml`)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function printKept(kept: Kept | null, why: string): number {
  if (kept === null) return reportFailure(why)
  warn(`${why}; this is its last answer`)
  return printDocument(kept.document)
}

function printDocument(document: string): number {
  process.stdout.write(document)
  return 0
}

function reportFailure(why: string): number {
  warn(why)
  return 1
}

function warn(text: string): void {
  process.stderr.write(`millwright: ${text}\n`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'it took too long'
  return error.message || ('code' in error ? String(error.code) : error.name)
}
