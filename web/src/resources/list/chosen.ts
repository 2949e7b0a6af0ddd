import { sendRequest } from '../../api/client.ts'
import { type ApiRecord, recordsOf, type Where } from '../resources.ts'
import type { Selection } from './selection.ts'

/** The records of a bulk operation, as they are when the dialog opens. */
export interface Chosen {
  readonly count: number
  /** The first records. */
  readonly first: readonly ApiRecord[]
  /** The ids of the records; null for all that a search matches. */
  readonly ids: ReadonlySet<number> | null
  /** Yields all records in portions. */
  readonly portions: () => AsyncIterable<readonly ApiRecord[]>
}

/** The number of records in a portion: few enough to show progress and to cancel the rest, more when there are very many. */
const PORTION = 50
const LARGE_PORTION = 250
const VERY_MANY = 1000
const IDS_IN_SEARCH = 500

/** Builds the choice from records that are loaded already. */
export function chosenOf(records: readonly ApiRecord[]): Chosen {
  const size = portionOf(records.length)
  async function* listPortions() {
    for (let start = 0; start < records.length; start += size) yield records.slice(start, start + size)
  }
  return {
    count: records.length,
    first: records,
    ids: new Set(records.map(({ id }) => Number(id))),
    portions: listPortions,
  }
}

/** Loads the selected records, also from pages that were never shown; deleted ones are left out. */
export async function loadChosen(where: Where, selected: Selection, search: string): Promise<Chosen> {
  if (selected === 'all') return loadAll(where, search)
  const ids = [...selected]
  const records: ApiRecord[] = []
  for (let start = 0; start < ids.length; start += IDS_IN_SEARCH) {
    const some = `id ^ (${ids.slice(start, start + IDS_IN_SEARCH).join(',')})`
    const { body } = await sendRequest(where.list, { query: { search: some, per_page: IDS_IN_SEARCH } })
    records.push(...recordsOf(body.results))
  }
  return chosenOf(records)
}

/**
 * Loads all records that a search matches now, portion by portion in the order of their ids, which does not change
 * meanwhile; records that are created later are not included.
 */
async function loadAll({ list }: Where, search: string): Promise<Chosen> {
  const last = { search: search || undefined, order: 'id DESC', page: 1, per_page: 1 }
  const { body } = await sendRequest(list, { query: last })
  const newest = largestIdOf(recordsOf(body.results))
  const loadPortionAfter = async (id: number) => {
    const between = `id > ${id} and id <= ${newest}`
    // At the end and behind an open bracket the search keeps its meaning, even with unclosed quotes.
    const query = {
      search: search.trim() === '' ? between : `${between} and (${search}`,
      order: 'id ASC',
      per_page: portionOf(body.subtotal),
    }
    return recordsOf((await sendRequest(list, { query })).body.results)
  }
  async function* listPortions() {
    for (let id = 0; id < newest; ) {
      const records = await loadPortionAfter(id)
      if (records.length === 0) return
      yield records
      id = largestIdOf(records)
    }
  }
  return { count: body.subtotal, first: await loadPortionAfter(0), ids: null, portions: listPortions }
}

function portionOf(count: number): number {
  return count > VERY_MANY ? LARGE_PORTION : PORTION
}

function largestIdOf(records: readonly ApiRecord[]): number {
  return Math.max(0, ...records.map(({ id }) => Number(id)))
}
