import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { assembleResources } from '../../areas/index.ts'
import { loadTrees } from '../../areas/places/index.ts'
import { openProxyContacts } from '../../areas/proxies/index.ts'
import { type Context, SERVICE } from '../../context.ts'
import { openRowCounts } from '../../database/row-counts.ts'
import { inSavepoint } from '../../database/savepoints.ts'
import type { Db } from '../../database/sql.ts'
import { openDirectories } from '../../directory/directories.ts'
import type { Encryption } from '../../encryption/encryption.ts'
import { routesOf } from '../../kernel/index.ts'
import { printExact } from '../../lib/lossless-json.ts'
import { createRelyingParty } from '../../openid/relying-party.ts'
import { NO_REFERENCES } from '../../references/references.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { loadSettings } from '../../settings/settings.ts'

/** Checksums of answers, by the path of the request. */
export type Answers = Readonly<Record<string, string>>

/**
 * Collects the answers that an administrator gets at the moment `now`: the first page of every list, and the first record of
 * each. A failing request has no entry. `tx` is a transaction.
 */
export async function sampleAnswers(tx: Db, now: Date, log: Logger): Promise<Answers> {
  await using directories = openDirectories()
  const ctx: Context = {
    db: tx,
    user: SERVICE,
    scope: { organization: null, location: null, named: false },
    trees: await loadTrees(tx),
    origin: { requestId: 'backup', address: null, secure: true, login: null, session: null },
    settings: await loadSettings(tx),
    encryption: NO_KEYS,
    lockout: { check: async () => undefined, fail: async () => undefined }, // no login takes place
    passwordMemoryMiB: 8,
    directories,
    openid: createRelyingParty(() => null),
    references: NO_REFERENCES,
    proxies: { tls: {}, commands: [], contacts: openProxyContacts() },
    followers: NO_FOLLOWERS,
    counts: openRowCounts(1),
    now: () => now,
    log,
    afterCommit: (effect) => void effect(),
  }
  const answers: Record<string, string> = {}
  const routes = readRoutes()
  const shown = new Map(routes.map((route) => [route.path, route]))
  for (const list of routes.filter(({ path }) => !path.includes('/:'))) {
    const page = await ask(ctx, list, {})
    if (page === null) continue
    answers[list.path] = checksumOf(page)
    const id = firstIdOf(page)
    const show = shown.get(`${list.path}/:id`)
    const record = show && id !== null ? await ask(ctx, show, { id }) : null
    if (record) answers[`${list.path}/${id}`] = checksumOf(record)
  }
  return answers
}

let known: readonly Route[] | null = null

/** Builds the routes of all resources once, which takes longer than many of their answers. */
function readRoutes(): readonly Route[] {
  known ??= routesOf(assembleResources()).filter(({ reads }) => reads)
  return known
}

/** Lists the paths of `expected` whose answers differ. */
export function listDifferent(expected: Answers, found: Answers): string[] {
  return Object.keys(expected).filter((path) => found[path] !== expected[path])
}

async function ask(ctx: Context, route: Route, params: Input['params']): Promise<Answer | null> {
  return inSavepoint(ctx.db, () => route.handle(ctx, { params, query: {}, body: {} })).catch(() => null)
}

function checksumOf({ status, body }: Answer): string {
  return createHash('sha256')
    .update(printExact([status, body]))
    .digest('hex')
}

function firstIdOf({ body }: Answer): string | null {
  const { results } = body as { readonly results?: readonly { readonly id?: unknown }[] } // a list in most cases
  const id = Array.isArray(results) ? results[0]?.id : undefined
  return id === undefined || id === null ? null : String(id)
}

/** Refuses to decrypt: encrypted values are compared as they are stored. */
const NO_KEYS: Encryption = {
  encrypt: refuseKeys,
  decrypt: refuseKeys,
  marks: () => [],
  isSealing: () => true,
  file: null,
  isNew: false,
}

function refuseKeys(): never {
  throw new Error('a backup opens no secrets')
}

/** No request follows a run. */
const NO_FOLLOWERS: Context['followers'] = {
  follow: () => ({ change: async () => 'closed', [Symbol.dispose]: () => undefined }),
  wake: () => undefined,
  waiting: () => 0,
  [Symbol.dispose]: () => undefined,
}
