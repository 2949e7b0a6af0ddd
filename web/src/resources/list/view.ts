import { useLocation, useSearchParams } from 'react-router'

/** The state of a list in its address. */
export interface ListView {
  readonly search: string
  readonly order: string
  readonly page: number
  readonly perPage: number
  readonly isCompact: boolean
}

const PER_PAGE = 20
/** The numbers of rows on a page that people choose from. */
export const PER_PAGE_OPTIONS = [20, 50, 100, 200, 1000].map((value) => ({ title: String(value), value }))

/** Changes some of a view; a function is called with the view in the address, which may not be rendered yet. */
export type ChangeView = (change: Partial<ListView> | ((view: ListView) => Partial<ListView>)) => void

/** Yields the view in the address, and a function to change it, which the back button undoes. */
export function useListView(): [ListView, ChangeView] {
  const [parameters, setParameters] = useSearchParams()
  const { state } = useLocation()
  const change: ChangeView = (sent) => {
    // The selection is kept, wherever it is stored; the address is current even before this page is rendered again.
    const next = new URLSearchParams(location.search)
    const view = viewOf(next)
    const changed = typeof sent === 'function' ? sent(view) : sent
    // "All" belongs to one search and does not carry over to another.
    if (next.get('selected') === 'all' && (changed.search ?? view.search) !== view.search) next.delete('selected')
    const all = { ...view, ...(changed.page === undefined && { page: 1 }), ...changed }
    const texts = {
      search: all.search,
      order: all.order,
      page: all.page > 1 ? String(all.page) : '',
      per_page: all.perPage === PER_PAGE ? '' : String(all.perPage),
      rows: all.isCompact ? 'compact' : '',
    }
    for (const [name, text] of Object.entries(texts)) {
      if (text === '') next.delete(name)
      else next.set(name, text)
    }
    setParameters(next, { state })
  }
  return [viewOf(parameters), change]
}

/** Reads the view from the parameters of an address. */
export function viewOf(parameters: URLSearchParams): ListView {
  return {
    search: parameters.get('search') ?? '',
    order: parameters.get('order') ?? '',
    page: parsePositive(parameters.get('page')) ?? 1,
    perPage: parsePositive(parameters.get('per_page')) ?? PER_PAGE,
    isCompact: parameters.get('rows') === 'compact',
  }
}

function parsePositive(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null
}
