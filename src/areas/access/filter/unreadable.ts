import type { Logger } from 'pino'
import { type Db, rows } from '../../../database/sql.ts'
import { isReadable, type Registry, ROOT } from '../../../kernel/index.ts'
import { compileSearch, SearchError, type SearchOptions } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

interface StoredFilter {
  readonly id: number
  readonly role_id: number
  readonly role: string
  readonly search: string
  readonly type: string | null
}

/** Warns at start of filters that match nothing because their search is empty or cannot be read. */
export async function warnOfUnreadableFilters(db: Db, registry: Registry, log: Logger): Promise<void> {
  const stored = await rows<StoredFilter>(
    db,
    sql`select f.id, f.role_id, r.name as role, f.search, min(p.resource_type) as type
      from filters f join roles r on r.id = f.role_id
      join filter_permissions l on l.filter_id = f.id join permissions p on p.id = l.permission_id
      where f.search is not null group by f.id, r.id order by f.id`,
  )
  const filters = stored
    .filter((filter) => !isLimiting(registry, filter))
    .map(({ id, role_id, role }) => ({ id, role_id, role }))
  if (filters.length > 0) log.warn({ filters }, 'filters whose search cannot be understood match nothing')
}

function isLimiting(registry: Registry, { search, type }: StoredFilter): boolean {
  const limited = [...registry.values()].find((resource) => resource.type === type)
  if (!limited || !isReadable(search)) return isReadable(search)
  try {
    return compileSearch(limited.searchSchema, search, OPTIONS).condition !== null
  } catch (error) {
    if (error instanceof SearchError) return false
    throw error
  }
}

// Only whether a search can be read matters here, so that clock and user may be anything.
const OPTIONS: SearchOptions = {
  now: new Date(0),
  zone: 'UTC',
  words: { current_user: '' },
  root: ROOT,
}
