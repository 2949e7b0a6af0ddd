import { type Context, inTransaction } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { findResource } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import { importFrom } from '../import.ts'
import { loadPairs, SAMPLE } from '../journal.ts'
import { KINDS, type Kind } from '../kinds.ts'
import { createListedRecords, NO_SERVER } from '../listed-records.ts'
import type { Progress } from '../run.ts'
import { type Undone, undoFrom } from '../undo.ts'
import type { Working } from '../working.ts'
import { buildCompany, type SampleRecord } from './company.ts'
import { buildHosts, type SampleHost } from './hosts.ts'
import { deleteRuns, storeWeek } from './week.ts'

/** What came of loading the sample. */
export interface Sampled {
  readonly created: number
  /** Records of the sample that were here already. */
  readonly left: number
}

/** Records that a sample shares with the rest of the server, which has them from its beginning. */
const SHARED: ReadonlySet<string> = new Set(['architecture'])

/**
 * Loads the sample: a company with its hosts, in one transaction, as an import that knows its records again. What
 * somebody has changed since stays as it is. {@throws Failure} conflict where other records have its names
 */
export async function loadSample(
  working: Working,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Sampled> {
  return inTransaction(working.ctx, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx.db)
    const inside = { ...working, ctx: tx }
    const hosts = buildHosts()
    const now = new Date()
    const records = {
      ...buildCompany(await findBeginning(tx)),
      hosts: hosts.map(({ record }) => record),
    }
    const kinds = listKinds(working, records)
    await refuseTakenNames(inside, kinds, records)
    const order = { address: SAMPLE, isPlan: false, keepsIds: false, signal, onProgress }
    const source = { server: createFactServer(hosts), their: createListedRecords(records), kinds }
    const { report } = await importFrom(inside, source, order)
    const refused = Object.values(report.kinds).flatMap(({ remarks }) =>
      remarks.filter(({ outcome }) => outcome === 'refused').map(({ record, reason }) => `${record}: ${reason}`),
    )
    if (refused.length > 0)
      throw new Failure('conflict', `the sample does not fit here: ${refused.slice(0, 3).join('; ')}`)
    await storeWeek(inside, hosts, now)
    return { created: report.totals.created, left: report.totals.left }
  })
}

/** Removes the records of the sample that nobody has changed since, with their reports and runs. {@throws Failure} not_found */
export async function removeSample(working: Working, signal: AbortSignal): Promise<Undone> {
  const { db } = working.ctx
  const known = await row(db, sql`select from imported_records where server = ${SAMPLE} limit 1`)
  if (!known) throw new Failure('not_found', 'there are no sample data')
  const undone = await undoFrom(working, SAMPLE, signal)
  await deleteRuns(working.ctx)
  return undone
}

function listKinds({ registry }: Working, records: Readonly<Record<string, readonly SampleRecord[]>>): readonly Kind[] {
  return KINDS.filter(({ name }) => findResource(registry, name).plural in records).map((kind) =>
    SHARED.has(kind.name) ? { ...kind, how: 'known' } : kind,
  )
}

/** Answers the facts of hosts, as another server does; all else is listed. */
function createFactServer(hosts: readonly SampleHost[]): typeof NO_SERVER {
  const facts = new Map(hosts.map((host) => [`/api/hosts/${host.record.id}/facts`, host]))
  return {
    ...NO_SERVER,
    get: async (path) => {
      const host = facts.get(path)
      if (!host) return NO_SERVER.get(path)
      return { total: Object.keys(host.facts).length, results: { [host.record.name]: host.facts } }
    },
  }
}

/** Finds the time when the sample was loaded, from which its dates count: that of this transaction, when it is not here. */
async function findBeginning({ db }: Context): Promise<Date> {
  const found = await row<{ since: number }>(
    db,
    sql`select (extract(epoch from coalesce(min(o.created_at), now()::timestamptz(3))) * 1000)::float8 as since
      from organizations o join imported_records r on r.our_id = o.id and r.kind = 'organization' and r.server = ${SAMPLE}`,
  )
  return new Date(found?.since ?? 0)
}

/** {@throws Failure} conflict, naming the records of others that have names of the sample */
async function refuseTakenNames(
  { ctx, registry }: Working,
  kinds: readonly Kind[],
  records: Readonly<Record<string, readonly SampleRecord[]>>,
): Promise<void> {
  const taken: string[] = []
  for (const kind of kinds) {
    if (kind.how === 'known' || kind.below || !kind.key.includes('name')) continue
    const { table, plural } = findResource(registry, kind.name)
    const columns = kind.key.filter((key) => !key.endsWith('_id'))
    const formatKey = (one: Readonly<Record<string, unknown>>) =>
      columns
        .map((key) => one[key] ?? '')
        .join(' ')
        .trim()
    const wanted = new Map((records[plural] ?? []).map((one) => [formatKey(one).toLowerCase(), formatKey(one)]))
    const ours = new Set((await loadPairs(ctx.db, SAMPLE, kind.name, table)).map(({ our_id }) => our_id))
    const found = await rows<{ id: number } & Record<string, unknown>>(
      ctx.db,
      sql`select id, ${sql.join(columns.map((one) => sql.ref(one)))} from ${sql.table(table)}
        where fold(name) = any (${(records[plural] ?? []).map(({ name }) => String(name).toLowerCase())}::text[])`,
    )
    for (const one of found) {
      const name = wanted.get(formatKey(one).toLowerCase())
      if (name !== undefined && !ours.has(one.id)) taken.push(`${kind.name.replaceAll('_', ' ')} ${name}`)
    }
  }
  if (taken.length === 0) return
  const shown = taken.slice(0, 5).join(', ')
  const more = taken.length > 5 ? ` and ${taken.length - 5} more` : ''
  throw new Failure(
    'conflict',
    `sample data need names that this server has already: ${shown}${more}. Rename or delete these records, or use an empty server`,
  )
}
