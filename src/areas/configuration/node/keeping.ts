import type { Db } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { forgetConfigProxies } from './callers.ts'
import { type Catalog, loadCatalog } from './catalog.ts'
import { forgetDocuments } from './documents.ts'
import type { NodeInputs, RequestedFacts } from './inputs.ts'
import { isReadingFacts, type PreparedNode } from './prepare.ts'

/** Hosts, and the catalogue as it was when they were read. */
export interface Consistent {
  readonly catalog: Catalog
  readonly inputs: readonly NodeInputs[]
}

type Read = (db: Db, facts: RequestedFacts) => Promise<readonly NodeInputs[]>

/**
 * Reads hosts together with the catalogue of the same moment. The process keeps the catalogue: whether it still holds is
 * told by the statement that reads the hosts, so that nothing that was committed before is missed, and nothing is read
 * twice. Inside a transaction nothing is kept: what it has written may be rolled back.
 */
export async function loadConsistently(db: Db, read: Read): Promise<Consistent> {
  if (db.isTransaction) return attempts(db, read, () => loadCatalog(db), null)
  const found = await attempts(db, read, () => refreshed(db), kept.get(db) ?? null).catch((error) => {
    if (error === RESTLESS) return null
    throw error
  })
  return found ?? snapshot(db, read)
}

/** Forgets the catalogue, all documents and who may ask for them, as when the database may have lost what they were made from. */
export function forgetCatalog(db: Db): void {
  kept.delete(db)
  forgetDocuments(db)
  forgetConfigProxies(db)
}

/** The facts that documents depend on, as far as the catalogue says that the process has. */
export function keptFacts(db: Db): RequestedFacts {
  const catalog = kept.get(db)
  return catalog === undefined ? NO_FACTS : requestedFacts(catalog)
}

/** Whether these facts are all that the document of a host depends on. */
export function isComplete(
  { catalog, inputs }: Pick<PreparedNode, 'catalog' | 'inputs'>,
  facts: RequestedFacts,
): boolean {
  const requested = requestedFacts(catalog)
  if (facts === 'all') return true
  return requested !== 'all' && requested.every((name) => facts.includes(name)) && !isReadingFacts(inputs)
}

/** Parameters of hosts may depend on others. */
function requestedFacts({ readsFacts, factNames }: Catalog): RequestedFacts {
  return readsFacts ? 'all' : factNames
}

const NO_FACTS: RequestedFacts = []

const ATTEMPTS = 4
const RESTLESS = new Failure('unavailable', 'The classification changes faster than it can be read')

// One for each database that the process uses; gone with it.
const kept = new WeakMap<Db, Catalog>()
const loading = new WeakMap<Db, Promise<Catalog>>()

async function attempts(db: Db, read: Read, load: () => Promise<Catalog>, first: Catalog | null): Promise<Consistent> {
  let catalog = first ?? (await load())
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const inputs = await complete(db, read, catalog)
    if (inputs.every(({ version }) => version === catalog.version)) return { catalog, inputs }
    catalog = await load()
  }
  throw RESTLESS
}

/** Hosts with the facts that their templates read. */
async function complete(db: Db, read: Read, catalog: Catalog): Promise<readonly NodeInputs[]> {
  const facts = requestedFacts(catalog)
  const inputs = await read(db, facts)
  return facts === 'all' || !inputs.some(isReadingFacts) ? inputs : read(db, 'all')
}

/** Everybody who finds the catalogue out of date waits for the same new one. */
async function refreshed(db: Db): Promise<Catalog> {
  const running = loading.get(db)
  if (running !== undefined) return running
  const started = loadCatalog(db).finally(() => loading.delete(db))
  loading.set(db, started)
  const catalog = await started
  kept.set(db, catalog)
  return catalog
}

/** While somebody writes on and on: everything as it is at one moment. */
function snapshot(db: Db, read: Read): Promise<Consistent> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => attempts(tx, read, () => loadCatalog(tx), null))
}
