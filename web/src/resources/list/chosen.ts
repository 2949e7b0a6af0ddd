import { request } from '../../api/client.ts'
import { type ApiRecord, recordsOf, type Where } from '../resources.ts'
import type { Selection } from './selection.ts'

/** Records that something is to be done with, as they are when somebody is asked about it. */
export interface Chosen {
  readonly count: number
  /** The first of them. */
  readonly first: readonly ApiRecord[]
  /** Null for all that a search finds: nobody has listed them. */
  readonly ids: ReadonlySet<number> | null
  /** All of them, so many at a time. */
  readonly portions: () => AsyncIterable<readonly ApiRecord[]>
}

/** So many at once: few enough to see how far it is, and to cancel the rest; of very many some more, for it to end. */
const PORTION = 50
const LARGE_PORTION = 250
const VERY_MANY = 1000
const IDS_IN_SEARCH = 500

/** Records that are known already. */
export function chosenOf(records: readonly ApiRecord[]): Chosen {
  const size = portionOf(records.length)
  async function* portions() {
    for (let start = 0; start < records.length; start += size) yield records.slice(start, start + size)
  }
  return { count: records.length, first: records, ids: new Set(records.map(({ id }) => Number(id))), portions }
}

/** What is selected, also on pages that were never shown; what is not there any more is left out. */
export async function loadChosen(where: Where, selected: Selection, search: string): Promise<Chosen> {
  if (selected === 'all') return loadAll(where, search)
  const ids = [...selected]
  const records: ApiRecord[] = []
  for (let start = 0; start < ids.length; start += IDS_IN_SEARCH) {
    const some = `id ^ (${ids.slice(start, start + IDS_IN_SEARCH).join(',')})`
    const { body } = await request(where.list, { query: { search: some, per_page: IDS_IN_SEARCH } })
    records.push(...recordsOf(body.results))
  }
  return chosenOf(records)
}

/**
 * All that a search finds now, however many they are: each is read when its turn comes. The order of their ids is the same
 * whatever becomes of them meanwhile; what somebody creates from now on is not among them.
 */
async function loadAll({ list }: Where, search: string): Promise<Chosen> {
  const last = { search: search || undefined, order: 'id DESC', page: 1, per_page: 1 }
  const { body } = await request(list, { query: last })
  const newest = largestId(recordsOf(body.results))
  const portionAfter = async (id: number) => {
    const between = `id > ${id} and id <= ${newest}`
    // At the end of the text, behind a bracket that stays open, it means what it means alone, unclosed quotes and all.
    const query = {
      search: search.trim() === '' ? between : `${between} and (${search}`,
      order: 'id ASC',
      per_page: portionOf(body.subtotal),
    }
    return recordsOf((await request(list, { query })).body.results)
  }
  async function* portions() {
    for (let id = 0; id < newest; ) {
      const records = await portionAfter(id)
      if (records.length === 0) return
      yield records
      id = largestId(records)
    }
  }
  return { count: body.subtotal, first: await portionAfter(0), ids: null, portions }
}

function portionOf(count: number): number {
  return count > VERY_MANY ? LARGE_PORTION : PORTION
}

function largestId(records: readonly ApiRecord[]): number {
  return Math.max(0, ...records.map(({ id }) => Number(id)))
}
