import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, hasPermission } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { hasAlready } from '../../lib/values.ts'
import { ROOT } from '../../root.ts'
import { setHeader, setHeaders } from '../listeners/header-values.ts'
import { type BuildState, buildWaitingPage } from './console-build.ts'

/** How the console is served. */
export interface ConsoleOptions {
  /** The path under which browsers reach the service: `/`, or one like `/fleet/` that a web server in front removes. */
  readonly base: string
  /** Yields the state of the build, for requests before it has ended. */
  readonly building: () => BuildState
  /** Yields the user of the session that a browser has; null where there is none, or where it cannot be known now. */
  readonly findUser: (request: FastifyRequest) => Promise<Actor | null>
}

/** The folder with the output of `npm run build:web`, beside the program, compiled or not. */
const BUILT = fileURLToPath(new URL('web/dist/', ROOT))

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** Allows scripts and styles of this service only, no inline ones, and no frames around the console. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * Serves the console: files of the build, and its shell at every other path that a browser requests as a page. Paths of
 * the API never yield the shell.
 */
export function mountConsole(server: FastifyInstance, options: ConsoleOptions): void {
  server.get('/assets/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    if (!/^[\w.-]+$/.test(name)) throw createNotFound()
    return sendFile(request, reply, join(BUILT, 'assets', name))
  })
  server.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    if (isOfTheApi(path) || (path !== '/' && !acceptsPage(request))) throw createNotFound()
    return sendShell(request, reply, options)
  })
}

function isOfTheApi(path: string): boolean {
  return /^\/(?:api|oauth|content\/api|rhsm|docs|assets|node|register|unattended|metrics|livez|readyz)(?:\/|$)/.test(
    path,
  )
}

function acceptsPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

async function sendShell(request: FastifyRequest, reply: FastifyReply, options: ConsoleOptions) {
  const { base, building, findUser } = options
  reply.header('content-security-policy', POLICY).header('x-frame-options', 'DENY').header('vary', 'accept, cookie')
  reply.header('cross-origin-opener-policy', 'same-origin').type('text/html; charset=utf-8')
  const shell = await readFile(join(BUILT, 'index.html'), 'utf8').catch(() => null)
  if (shell === null) {
    return reply.header('cache-control', 'no-store').send(buildWaitingPage(building()))
  }
  const text = shell
    .replace('<base href="/"', `<base href="${base}"`)
    .replace('</head>', `${(await preloadsOf(request.url, () => findUser(request))).join('')}</head>`)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  setHeader(reply, 'etag', etag)
  reply.header('cache-control', 'no-cache')
  return hasAlready(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text)
}

/** The first requests of every page, about the user (web/src/api/session.ts). */
const ASKED = ['api/session', 'api/current_user/permissions']

interface Preloaded {
  readonly files: readonly string[]
  readonly permissions: readonly string[]
}

/**
 * Lists elements that preload the scripts and style sheets of the requested page and its first requests: loading them with
 * the shell saves round trips, and the API answers while scripts are read. Requests for records are left out where the
 * address of the page has parameters, because it asks for other records then, and where the user lacks the permission,
 * because a request would be logged as a denial.
 */
async function preloadsOf(url: string, findUser: () => ReturnType<ConsoleOptions['findUser']>): Promise<string[]> {
  const [, below, word = '', parameters] = /^\/(\w+\/[^/?]+\/)?(\w*)(?:(\?)|$)/.exec(url) ?? []
  const text = await readFile(join(BUILT, 'preloads.json'), 'utf8').catch(() => '{}')
  const preloads = new Map<string, Preloaded>(Object.entries(JSON.parse(text)))
  const { files, permissions } = preloads.get(word) ?? { files: [], permissions: [] }
  const user = permissions.length === 0 ? null : await findUser()
  const isRefused = user !== null && !permissions.some((permission) => hasPermission({ user }, permission))
  const isOther = isRefused || parameters !== undefined
  const named = [...ASKED, ...(below === undefined ? files : [])].filter((file) => !isOther || !file.includes('?'))
  return [...named.map(linkTo), ...(isRefused ? ['<meta name="refused">'] : [])]
}

function linkTo(file: string): string {
  const href = `crossorigin href="./${file.replaceAll('&', '&amp;')}"`
  if (file.endsWith('.css')) return `<link rel="stylesheet" ${href}>`
  return file.startsWith('assets/') ? `<link rel="modulepreload" ${href}>` : `<link rel="preload" as="fetch" ${href}>`
}

/** Sends a file. Names of assets contain a hash of their content, so that browsers need never ask for one again. */
async function sendFile(request: FastifyRequest, reply: FastifyReply, path: string) {
  const encoding = await chooseEncoding(request, path)
  const file = encoding === null ? path : path + ENCODINGS[encoding]
  const content = await readFile(file).catch(() => null)
  const type = TYPES[extname(path)]
  if (content === null || type === undefined) throw createNotFound()
  if (encoding !== null) setHeader(reply, 'content-encoding', encoding)
  const etag = `"${path.split('/').at(-1)}${encoding === null ? '' : `-${encoding}`}"`
  setHeaders(reply, { etag, 'content-type': type })
  reply.header('cache-control', 'public, max-age=31536000, immutable')
  reply.header('vary', 'accept-encoding').header('content-security-policy', "default-src 'none'")
  return hasAlready(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(content)
}

const ENCODINGS = { br: '.br', gzip: '.gz' } as const

/** Chooses among the compressed forms that the build has made of a file; null for the file as it is. */
async function chooseEncoding({ headers }: FastifyRequest, path: string): Promise<keyof typeof ENCODINGS | null> {
  const accepted = String(headers['accept-encoding'] ?? '')
  for (const encoding of ['br', 'gzip'] as const) {
    const is = new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$))|,|$)`).test(accepted)
    if (is && (await stat(path + ENCODINGS[encoding]).catch(() => null))) return encoding
  }
  return null
}

function createNotFound(): Failure {
  return new Failure('unroutable', 'Not Found')
}
