import { z } from 'zod'
import { storeFormerAuthorities } from '../areas/registration/index.ts'
import type { Db } from '../database/sql.ts'
import { row } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { sql } from '../sql.ts'
import { type Imported, importListed, importServer } from './import.ts'
import { LISTED } from './listed-records.ts'
import { listMissing } from './missing.ts'
import { openOldServer } from './old-server.ts'
import type { Progress } from './run.ts'
import { loadSample, removeSample, type Sampled } from './sample/sample.ts'
import { takeSecrets } from './secrets.ts'
import type { Undone } from './undo.ts'
import { undoImport } from './undo.ts'
import { openWorking, type Place, type Working } from './working.ts'

/** What `millwright import server` sends to the process that holds the database. */
const IMPORT_ORDER = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** The value of the header. */
  authorization: z.string(),
  authority: z.string().nullable(),
  connections: z.int().min(1).max(8),
  timeout: z.int().min(1).max(3600),
  plan: z.boolean(),
  keepIds: z.boolean(),
})

/** What `millwright import pe-classifier` and `millwright import hiera` send. */
const LISTED_ORDER = z.strictObject({ address: z.enum(['pe-classifier', 'hiera']), plan: z.boolean(), listed: LISTED })

const SECRETS = z.strictObject({
  secrets: z.array(
    z.strictObject({
      kind: z.string(),
      id: z.int(),
      key: z.string(),
      value: z.string(),
      salt: z.string().optional(),
      token: z.strictObject({ name: z.string(), expires_at: z.string().nullable() }).optional(),
    }),
  ),
})

/** A line of the answer: how far an import is, its end, or the reason why it ended before. */
export type ImportLine =
  | { readonly progress: Progress }
  | { readonly imported: Imported }
  | { readonly undone: Undone }
  | { readonly sampled: Sampled }
  | { readonly error: string }

/** Imports, and yields lines of JSON. The import ends when nobody reads them any more. */
export function performImport(at: Place, input: unknown): AsyncIterable<Uint8Array> {
  const read = IMPORT_ORDER.safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send an address, a login and the wishes of an import')
  const { url, plan, keepIds, ...reached } = read.data
  return answerLines(async (signal, say) => {
    const working = await openWorking(at)
    const address = url.replace(/\/+$/, '')
    using server = openOldServer({ url, ...reached })
    const order = {
      address,
      isPlan: plan,
      keepsIds: keepIds,
      signal,
      onProgress: (progress: Progress) => say({ progress }),
    }
    await runAlone(at.database.db, async () => say({ imported: await importServer(working, server, order) }))
  })
}

/** Imports records that were read from a file, and yields lines of JSON. */
export function performListed(at: Place, input: unknown): AsyncIterable<Uint8Array> {
  const read = LISTED_ORDER.safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send the records of a file and the wishes of an import')
  const { address, plan, listed } = read.data
  return answerLines(async (signal, say) => {
    const working = await openWorking(at)
    const onProgress = (progress: Progress) => say({ progress })
    const order = { address, isPlan: plan, keepsIds: false, signal, onProgress }
    await runAlone(at.database.db, async () => say({ imported: await importListed(working, listed, order) }))
  })
}

/** Stores secrets from a backup. */
export async function performSecrets(at: Place, input: unknown): Promise<object> {
  const read = SECRETS.safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send a list of secrets')
  return takeSecrets(await openWorking(at), read.data.secrets)
}

const AUTHORITY = z.strictObject({ pem: z.string() })

/** Stores the authority by whose certificates hosts of the old server identify themselves. */
export async function performAuthority({ database, log }: Place, input: unknown): Promise<object> {
  const read = AUTHORITY.safeParse(input)
  if (!read.success) throw new Failure('malformed', 'Send certificates in PEM form')
  const stored = await storeFormerAuthorities(database.db, read.data.pem, new Date())
  log.info({ stored }, 'authorities of another server are accepted for hosts that come from there')
  return { stored }
}

/** Lists the secrets and authorities that imported records still lack. */
export async function performMissing({ database, config }: Place): Promise<object> {
  return listMissing(database.db, config)
}

/** Undoes an import, and yields lines of JSON. */
export function performUndo(at: Place): AsyncIterable<Uint8Array> {
  return answerLines(async (signal, say) => {
    const working = await openWorking(at)
    await runAlone(at.database.db, async () => say({ undone: await undoImport(working, signal) }))
  })
}

/** Loads sample data, and yields lines of JSON. */
export function performSample(at: Place): AsyncIterable<Uint8Array> {
  return answerLines(async (signal, say) => {
    const working = await openWorking(at)
    const onProgress = (progress: Progress) => say({ progress })
    await runAlone(at.database.db, async () => say({ sampled: await loadSample(working, signal, onProgress) }))
  })
}

/** Loads sample data for a caller of the API, while no import writes. {@throws Failure} conflict */
export function loadAlone(working: Working): Promise<Sampled> {
  return runAlone(working.ctx.db, () => loadSample(working, new AbortController().signal, () => undefined))
}

/** Removes sample data, and yields lines of JSON. */
export function performSampleRemoval(at: Place): AsyncIterable<Uint8Array> {
  return answerLines(async (signal, say) => {
    const working = await openWorking(at)
    await runAlone(at.database.db, async () => say({ undone: await removeSample(working, signal) }))
  })
}

type Say = (line: ImportLine) => void

/** Does work and yields what it says meanwhile. */
async function* answerLines(work: (signal: AbortSignal, say: Say) => Promise<void>): AsyncGenerator<Uint8Array> {
  const stop = new AbortController()
  const lines: ImportLine[] = []
  let wake = Promise.withResolvers<void>()
  const say: Say = (line) => {
    lines.push(line)
    wake.resolve()
  }
  let hasEnded = false
  const working = work(stop.signal, say)
    .catch((error: unknown) => say({ error: error instanceof Error ? error.message : String(error) }))
    .finally(() => {
      hasEnded = true
      wake.resolve()
    })
  try {
    while (!hasEnded || lines.length > 0) {
      if (lines.length === 0) await wake.promise
      wake = Promise.withResolvers<void>()
      for (const line of lines.splice(0)) yield Buffer.from(`${JSON.stringify(line)}\n`)
    }
  } finally {
    stop.abort()
    await working
  }
}

/**
 * Does work while no other import writes, in whatever process. A transaction of its own holds the lock, so that it goes with
 * the process. {@throws Failure} conflict
 */
async function runAlone<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  const locked = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const held = await row<{ held: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(hashtext('import of records')) as held`,
    )
    if (!held?.held) throw new Failure('conflict', 'another import is running: wait for its end')
    locked.resolve()
    await done.promise
  })
  try {
    await Promise.race([locked.promise, holding])
    return await work()
  } finally {
    done.resolve()
    await holding
  }
}
