import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Resource } from '../kernel/definition.ts'
import { readBack } from '../kernel/operations/show.ts'
import { applyShown, createPresenter } from '../kernel/present.ts'
import type { Row } from '../kernel/record.ts'
import type { Input } from '../kernel/route.ts'
import { selectPage } from '../kernel/store/select.ts'

/** A record that a batch has written, and what it shows once the record was read. */
export class Written {
  readonly ctx: Context
  readonly id: number
  shown: Row | undefined

  constructor(ctx: Context, id: number) {
    this.ctx = ctx
    this.id = id
  }
}

/** Operations of a batch in a row that write different records of one resource: these are read together. */
export interface Run {
  /** Reads those before an operation that is not one of them. */
  readonly endBefore: (operation: { readonly method: string; readonly path: string }) => Promise<void>
  readonly end: () => Promise<void>
  /** Reads the record of an operation, or says what stands for it until the run ends. */
  readonly reading: NonNullable<Input['reading']>
}

/**
 * Reading a record costs as much as writing it, reading a thousand of them little more than one. What a write answers with
 * is the record as it left it; a record that no other of the run can change is still that at the end of the run.
 */
export function createRun(): Run {
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
    reading: async (tx, of, id) => {
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
 * What is done to what kind of record, and to which: null for a new one, NaN for one that is called by a name, which may be
 * one of those that wait.
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

const MOST_TOGETHER = 1000

/** Whether writing one record may change what another of the resource shows, as the parts of one record often do. */
function concernsOthers({ name, partOf, nestedOnly, placed, views }: Resource): boolean {
  const isPart = partOf !== undefined || nestedOnly === true || !views.show.includes('id')
  return isPart || placed.some(({ field }) => field.refersTo?.resource === name)
}

/** Each as those see it who wrote it: a scope of its own is one of its own statements. */
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
    const byId = new Map(rows.map(({ id }, index) => [id, shown[index]])) // what an operation wrote that failed behind it is gone
    for (const one of those) one.shown = byId.get(one.id)
  }
}
