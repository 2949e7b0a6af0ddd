import { sql } from 'kysely'
import type { Context } from '../context.ts'
import {
  applyShown,
  createPresenter,
  findResource,
  type Registry,
  type Resource,
  type Row,
  readBack,
  selectPage,
} from '../kernel/index.ts'
import type { Input } from '../requests/route.ts'

/** A placeholder for a record that a batch has written; `shown` is set when the run of the record ends and it is read. */
export class Written {
  readonly ctx: Context
  readonly id: number
  shown: Row | undefined

  constructor(ctx: Context, id: number) {
    this.ctx = ctx
    this.id = id
  }
}

/** Consecutive operations of a batch that write different records of one resource, which are read together. */
export interface Run {
  /** Reads the records of the run unless this operation, which is about to be done, continues it. */
  readonly endBefore: (operation: { readonly method: string; readonly path: string }) => Promise<void>
  readonly end: () => Promise<void>
  /** Reads the record of an operation, or yields a placeholder for it until the run ends. */
  readonly reading: NonNullable<Input['reading']>
}

/**
 * Creates a run. Its records are read together at its end, because reading a thousand records costs little more than
 * reading one. A write has to be answered with its record as the write left it: no other operation of the run can change
 * the record, so that it is still equal at the end.
 */
export function createRun(registry: Registry): Run {
  let written: Written[] = []
  let resource: Resource | null = null
  let next: Operation = { shape: '', id: null }
  const end = async () => {
    const those = written
    written = []
    if (resource) await readTogether(resource, those)
  }
  return {
    end,
    endBefore: async (operation) => {
      const { shape } = next
      next = describe(operation)
      const isKnown = Number.isNaN(next.id) || written.some(({ id }) => id === next.id)
      if (next.shape !== shape || isKnown || written.length >= MOST_TOGETHER) await end()
    },
    reading: async (tx, name, id) => {
      const of = findResource(registry, name)
      if (concernsOthers(of) || (next.id !== null && next.id !== id)) return readBack(tx, of, id)
      if (of !== resource) await end()
      resource = of
      const one = new Written(tx, id)
      written.push(one)
      return one
    },
  }
}

/**
 * The method and path of an operation without its record, and the id of the record: null for a new one, NaN for one named by
 * a text, which may be any of those that wait to be read.
 */
interface Operation {
  readonly shape: string
  readonly id: number | null
}

function describe({ method, path }: { readonly method: string; readonly path: string }): Operation {
  const [plain = ''] = path.split('?', 1)
  if (method === 'POST') return { shape: `POST ${plain}`, id: null }
  const cut = plain.lastIndexOf('/')
  return { shape: `${method} ${plain.slice(0, cut)}`, id: Number(plain.slice(cut + 1)) }
}

/**
 * Splits operations into series: consecutive operations of one kind on different records named by their ids, so that
 * none of them depends on what another has written.
 */
export function listSeries<One extends { readonly method: string; readonly path: string }>(
  operations: readonly One[],
): readonly (readonly One[])[] {
  const series: One[][] = []
  let shape = ''
  let ids = new Set<number>()
  for (const one of operations) {
    const { shape: own, id } = describe(one)
    const isNamed = Number.isNaN(id) || ids.has(Number.NaN)
    const fits = own === shape && !isNamed && (id === null || !ids.has(id))
    const last = series.at(-1)
    if (fits && last && last.length < LONGEST_SERIES) last.push(one)
    else {
      series.push([one])
      ids = new Set()
    }
    shape = own
    if (id !== null) ids.add(id)
  }
  return series
}

/** Lists the ids by which the operations of a series name their records. */
export function listIds(series: readonly { readonly method: string; readonly path: string }[]): number[] {
  return series.flatMap((one) => describe(one).id ?? [])
}

/** The most operations of a series. */
const LONGEST_SERIES = 200
/** The most records of a run, which are read by one statement. */
const MOST_TOGETHER = 1000

/** Tells whether writing one record may change what others of the resource show, as among the parts of one record. */
export function concernsOthers({ name, partOf, nestedOnly, placed, views }: Resource): boolean {
  const isPart = partOf !== undefined || nestedOnly === true || !views.show.includes('id')
  return isPart || placed.some(({ field }) => field.refersTo?.resource === name)
}

/** Reads each record in the scope of its operation, with one statement for each scope. */
async function readTogether(resource: Resource, written: readonly Written[]): Promise<void> {
  const byScope = Map.groupBy(written, ({ ctx: { scope } }) => `${scope.organization} ${scope.location} ${scope.named}`)
  for (const those of byScope.values()) {
    const [first] = those
    if (!first) continue
    const { ctx } = first
    const ids = those.map(({ id }) => id).sort((a, b) => a - b)
    const request = {
      view: resource.views.show,
      conditions: [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }],
      order: { order: sql`t.id` },
      limit: ids.length,
      offset: 0,
    }
    const { rows } = await selectPage(ctx.db, resource, request)
    const shown = await applyShown(ctx, resource, rows.map(createPresenter(resource, resource.views.show, 'view')), {})
    const byId = new Map(rows.map(({ id }, index) => [id, shown[index]])) // records of operations that failed are missing here
    for (const one of those) one.shown = byId.get(one.id)
  }
}
