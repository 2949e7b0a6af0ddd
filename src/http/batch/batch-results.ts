import type { Context } from '../../context.ts'
import { writeAudits } from '../../database/audits.ts'
import {
  applyShown,
  createPresenter,
  findResource,
  type Registry,
  type Resource,
  type Row,
  readBack,
  selectPage,
} from '../../kernel/index.ts'
import type { Input } from '../../requests/route.ts'
import { sql } from '../../sql.ts'
import type { BatchOperation, BatchOutcome } from './request.ts'

/** A placeholder for a record that a batch has written; `shown` is set once it is read. */
class RecordPlaceholder {
  readonly ctx: Context
  readonly resource: Resource
  readonly id: number
  shown: Row | undefined

  constructor(ctx: Context, resource: Resource, id: number) {
    this.ctx = ctx
    this.resource = resource
    this.id = id
  }
}

/** Reads the records that the operations of a batch answer with. */
export interface Reading {
  /** Reads the records that wait if this operation, which is about to be done, could change one of them. */
  readonly before: (operation: BatchOperation) => Promise<void>
  /** Reads the record of an operation, or yields a placeholder for it. */
  readonly reading: NonNullable<Input['reading']>
  /** Reads the records that wait; `fillIn` replaces their placeholders then. */
  readonly end: () => Promise<void>
}

/**
 * Creates what reads records together, because a thousand cost little more than one, and their audits are written together
 * before. An answer is the record as the write left it: records wait while operations of one kind create others, or update
 * others that they name by ids.
 */
export function createReading(registry: Registry): Reading {
  let waiting: RecordPlaceholder[] = []
  let last: OperationShape = { shape: '', id: null }
  const end = async () => {
    const those = waiting
    waiting = []
    for (const some of Map.groupBy(those, keyOf).values()) await readTogether(some)
  }
  return {
    end,
    before: async (operation) => {
      const { shape } = last
      last = describe(operation)
      const isOther = last.shape === shape && !Number.isNaN(last.id) && !waiting.some(({ id }) => id === last.id)
      if (!isOther || waiting.length >= MOST_TOGETHER) await end()
    },
    reading: async (tx, name, id) => {
      const resource = findResource(registry, name)
      if (concernsOthers(resource) || (last.id !== null && last.id !== id)) return readBack(tx, resource, id)
      const one = new RecordPlaceholder(tx, resource, id)
      waiting.push(one)
      return one
    },
  }
}

/** Replaces the placeholder in an outcome by the record as it was read. */
export function fillIn({ status, body }: BatchOutcome): BatchOutcome {
  return body === undefined ? { status } : { status, body: body instanceof RecordPlaceholder ? body.shown : body }
}

/** What an operation does, without its record, and the id of that: null for a new one, NaN for one that is called by a name. */
interface OperationShape {
  readonly shape: string
  readonly id: number | null
}

function describe({ method, path }: BatchOperation): OperationShape {
  const [plain = ''] = path.split('?', 1)
  if (method === 'POST') return { shape: `POST ${plain}`, id: null }
  const cut = plain.lastIndexOf('/')
  return { shape: `${method} ${plain.slice(0, cut)}`, id: Number(plain.slice(cut + 1)) }
}

/** So many records are read by one statement. */
const MOST_TOGETHER = 1000

/** Whether writing one record may change what others of the resource show, as among the parts of one record. */
function concernsOthers({ name, partOf, nestedOnly, placed, views }: Resource): boolean {
  const isPart = partOf !== undefined || nestedOnly === true || !views.show.includes('id')
  return isPart || placed.some(({ field }) => field.refersTo?.resource === name)
}

/** One statement reads records of one resource in one scope. */
function keyOf({ ctx: { scope }, resource }: RecordPlaceholder): string {
  return `${resource.name} ${scope.organization} ${scope.location} ${scope.named}`
}

async function readTogether(written: readonly RecordPlaceholder[]): Promise<void> {
  const [first] = written
  if (!first) return
  const { ctx, resource } = first
  const ids = written.map(({ id }) => id).sort((a, b) => a - b)
  const request = {
    view: resource.views.show,
    conditions: [{ sql: sql`t.id = any (${ids}::bigint[])`, tables: [] }],
    order: { order: sql`t.id` },
    limit: ids.length,
    offset: 0,
  }
  await writeAudits(ctx.db) // the view may show the author, from audits
  const { rows } = await selectPage(ctx.db, resource, request)
  const shown = await applyShown(ctx, resource, rows.map(createPresenter(resource, resource.views.show, 'view')), {})
  const byId = new Map(rows.map(({ id }, index) => [id, shown[index]]))
  for (const one of written) one.shown = byId.get(one.id)
}
