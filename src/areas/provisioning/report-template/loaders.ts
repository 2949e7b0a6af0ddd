import { beginPortion, type Context, hasPermission } from '../../../context.ts'
import {
  applyShown,
  compileRequestSearch,
  createPresenter,
  limitToVisible,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
  type Row,
  selectPage,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { type HostValue, type OpenRecords, TemplateError } from '../../../templates/index.ts'
import { LOADED_RECORDS } from '../../../words/template-names.ts'
import { loadHostReaders, type Needs } from './host-records.ts'
import { createRecordReader } from './record-reader.ts'

/** The number of records that are read, and looped over, at a time. */
const PORTION = 500

/** Keys of hosts that are read in another way, or that no report needs. */
const NOT_OF_HOSTS = new Set(['parameters', 'all_parameters', 'interfaces', 'permissions'])

/** Builds the functions of reports that load records: those that the caller may see, in order of their ids. */
export function buildLoads(ctx: Context, registry: Registry, needs: Needs): Readonly<Record<string, OpenRecords>> {
  return Object.fromEntries(
    Object.entries(LOADED_RECORDS).flatMap(([name, kind]): [string, OpenRecords][] => {
      const resource = registry.get(kind)
      return resource ? [[name, (call) => openRecords(ctx, resource, needs, call.named)]] : []
    }),
  )
}

async function* openRecords(
  ctx: Context,
  resource: Resource,
  needs: Needs,
  named: ReadonlyMap<string, HostValue>,
): AsyncGenerator<readonly HostValue[]> {
  const permission = permissionOf(resource, 'view')
  if (!hasPermission(ctx, permission) && !permitsOwn(resource, 'list'))
    throw new TemplateError(`you are missing the permission ${permission}`)
  const search = readSearchOf(named)
  const limit = readLimit(named)
  const view = viewOf(resource, needs)
  const present = createPresenter(resource, view, 'iso')
  for (let [after, taken] = [0, 0]; taken < limit; ) {
    const now = await beginPortion(ctx)
    const { rows } = await selectPage(now.db, resource, {
      view,
      conditions: [
        ...limitToVisible(now, resource, permission, permitsOwn(resource, 'list')),
        ...(await compileRequestSearch(now, resource, search)),
        { sql: sql`t.id > ${after}`, tables: [] },
      ],
      order: { order: sql`t.id` },
      limit: Math.min(PORTION, limit - taken),
      offset: 0,
    })
    if (rows.length > 0)
      yield await toReaders(now, resource, needs, await applyShown(now, resource, rows.map(present), {}))
    if (rows.length < PORTION) return
    taken += rows.length
    after = Number(rows.at(-1)?.id)
  }
}

/** Reads the search of a load; another value than text would mean all records. {@throws TemplateError} */
function readSearchOf(named: ReadonlyMap<string, HostValue>): string | null {
  const search = named.get('search') ?? null
  if (search !== null && typeof search !== 'string') throw new TemplateError('search must be text')
  return search
}

function readLimit(named: ReadonlyMap<string, HostValue>): number {
  const limit = named.get('limit') ?? null
  if (limit === null) return Number.POSITIVE_INFINITY
  const count = ['string', 'bigint', 'number'].includes(typeof limit) ? Number(limit) : Number.NaN
  if (!Number.isSafeInteger(count) || count < 0) throw new TemplateError('limit must be a whole number')
  return count
}

/** The keys of a record that a report reads. */
function viewOf({ name, views }: Resource, needs: Needs): readonly string[] {
  return views.show.filter((key) => !(name === 'host' && NOT_OF_HOSTS.has(key)) && needs.key(key))
}

async function toReaders(
  ctx: Context,
  { name, registry }: Resource,
  needs: Needs,
  records: readonly Row[],
): Promise<readonly HostValue[]> {
  if (name === 'host') return loadHostReaders(ctx, registry, records, needs)
  return records.map((record) => createRecordReader(name, record))
}
