import type { Db } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { forgetConfigProxies } from './callers.ts'
import { type Catalog, loadCatalog, type NodeContext } from './catalog.ts'
import { forgetDocuments } from './documents.ts'
import type { NodeInputs, RequestedFacts } from './inputs.ts'
import { isReadingFacts, type PreparedNode } from './prepare.ts'

/** Hosts, and the catalogue at the moment when they were read. */
export interface Consistent {
  readonly catalog: Catalog
  readonly inputs: readonly NodeInputs[]
}

type ReadInputs = (at: NodeContext, facts: RequestedFacts) => Promise<readonly NodeInputs[]>

/**
 * Loads hosts together with the catalogue of the same moment. The process caches the catalogue; the statement for the
 * hosts tells whether it is still current, so that all committed writes are seen. In a transaction nothing is cached,
 * because its writes may be rolled back.
 */
export async function loadConsistently(at: NodeContext, read: ReadInputs): Promise<Consistent> {
  const { db } = at
  if (db.isTransaction) return readUntilConsistent(at, read, () => loadCatalog(at), null)
  const found = await readUntilConsistent(at, read, () => refreshCatalog(at), kept.get(db) ?? null).catch((error) => {
    if (error === RESTLESS) return null
    throw error
  })
  return found ?? readSnapshot(at, read)
}

/** Drops the caches of a database that may have lost writes which they were read from: catalogue, documents, callers. */
export function forgetCatalog(db: Db): void {
  kept.delete(db)
  forgetDocuments(db)
  forgetConfigProxies(db)
}

/** The facts that documents need according to the cached catalogue. */
export function createKeptFacts(db: Db): RequestedFacts {
  const catalog = kept.get(db)
  return catalog === undefined ? NO_FACTS : requestedFactsOf(catalog)
}

/** Tells whether the facts that were requested are all that the document of the host needs. */
export function isComplete(
  { catalog, inputs }: Pick<PreparedNode, 'catalog' | 'inputs'>,
  facts: RequestedFacts,
): boolean {
  const requested = requestedFactsOf(catalog)
  if (facts === 'all') return true
  return requested !== 'all' && requested.every((name) => facts.includes(name)) && !isReadingFacts(inputs)
}

/** The facts that documents need according to the catalogue; templates in parameters of hosts may read further ones. */
function requestedFactsOf({ readsFacts, factNames }: Catalog): RequestedFacts {
  return readsFacts ? 'all' : factNames
}

const NO_FACTS: RequestedFacts = []

const ATTEMPTS = 4
const RESTLESS = new Failure('unavailable', 'The classification changes faster than it can be read')

// One cache for each database of the process, dropped with the database.
const kept = new WeakMap<Db, Catalog>()
const loading = new WeakMap<Db, Promise<Catalog>>()

async function readUntilConsistent(
  at: NodeContext,
  read: ReadInputs,
  load: () => Promise<Catalog>,
  first: Catalog | null,
): Promise<Consistent> {
  let catalog = first ?? (await load())
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const inputs = await readComplete(at, read, catalog)
    if (inputs.every(({ version }) => version === catalog.version)) return { catalog, inputs }
    catalog = await load()
  }
  throw RESTLESS
}

/** Loads hosts with the facts that their templates read. */
async function readComplete(at: NodeContext, read: ReadInputs, catalog: Catalog): Promise<readonly NodeInputs[]> {
  const facts = requestedFactsOf(catalog)
  const inputs = await read(at, facts)
  return facts === 'all' || !inputs.some(isReadingFacts) ? inputs : read(at, 'all')
}

/** Loads a new catalogue; concurrent callers share it. */
async function refreshCatalog(at: NodeContext): Promise<Catalog> {
  const { db } = at
  const running = loading.get(db)
  if (running !== undefined) return running
  const started = loadCatalog(at).finally(() => loading.delete(db))
  loading.set(db, started)
  const catalog = await started
  kept.set(db, catalog)
  return catalog
}

/** Reads hosts and catalogue in one snapshot, for times of constant writes. */
function readSnapshot({ db, encryption }: NodeContext, read: ReadInputs): Promise<Consistent> {
  return db.readSnapshot((tx) => {
    const at = { db: tx, encryption }
    return readUntilConsistent(at, read, () => loadCatalog(at), null)
  })
}
