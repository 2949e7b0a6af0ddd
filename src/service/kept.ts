import type { Logger } from 'pino'
import { type IdentityCache, REMEMBERED_MS } from '../areas/access/index.ts'
import { forgetCatalog } from '../areas/configuration/index.ts'
import { loadTrees } from '../areas/places/index.ts'
import type { Trees } from '../context.ts'
import type { Database } from '../database/database.ts'
import { foldChanges, vacuumChanges } from '../database/fold-changes.ts'
import { openRowCounts, type RowCounts } from '../database/row-counts.ts'
import type { Route } from '../requests/route.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'

/** The settings as they are now. */
export interface KeptSettings {
  readonly current: () => Settings
  readonly reload: () => Promise<void>
}

/** Keeps the current settings: changes by other processes are loaded when they are announced. */
export async function keepSettings(
  database: Database,
  log: Logger,
  changed: (settings: Settings) => void,
): Promise<KeptSettings> {
  let settings = await loadSettings(database.db, log)
  changed(settings)
  const reload = async () => {
    settings = await loadSettings(database.db, log)
    changed(settings)
  }
  const reloadQuietly = () => void reload().catch((err) => log.warn({ err }, 'settings not reloaded'))
  await database.listen('settings', reloadQuietly, reloadQuietly)
  return { current: () => settings, reload }
}

/**
 * Creates the cache of counts and clears it when the connection is lost: a server that took over may lack the last
 * writes and repeat their versions. Only the loss matters, so that any channel would do.
 */
export async function keepCounts(database: Database, log: Logger): Promise<RowCounts> {
  const counts = openRowCounts(5000, (err) => log.warn({ err }, 'rows not counted'))
  await database.listen(
    'settings',
    () => undefined,
    () => {
      counts.clear()
      forgetCatalog(database.db)
    },
  )
  return counts
}

/** Keeps the trees of organizations and locations in the cache of identities, which any change of them clears. */
export function keepTrees({ db }: Database, { remember }: Pick<IdentityCache, 'remember'>): () => Promise<Trees> {
  const find = async () => ({ value: await loadTrees(db), lifetimeMs: REMEMBERED_MS })
  return () => remember('trees', '', find)
}

/** After this many writes the lines of `table_changes` are folded, so that their sums stay fast to read. */
const WRITES_PER_FOLD = 64
/** After this many, what folding has left is vacuumed. */
const WRITES_PER_VACUUM = 64 * WRITES_PER_FOLD

/** Creates what is done after each write. */
export function createAfterWrite(
  database: Database,
  forgetIdentities: () => void,
  reloadSettings: () => Promise<void>,
  log: Logger,
) {
  let writes = 0
  return async (route: Route) => {
    // The database tells other processes; this one forgets at once, so that its next request sees the change.
    if (route.invalidates === 'identities') forgetIdentities()
    if (route.invalidates === 'settings') await reloadSettings()
    if (++writes % WRITES_PER_FOLD !== 0) return
    // The write is done: a failure to fold is logged, and must not make the request fail.
    const tidy = writes % WRITES_PER_VACUUM === 0 ? vacuumChanges : foldChanges
    await tidy(database.db).catch((err) => log.warn({ err }, 'folding change lines failed'))
  }
}
