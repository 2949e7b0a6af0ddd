import { startTransition, useMemo, useOptimistic } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** The selection of a list: records by their ids, or all that match the search on every page. */
export type Selection = ReadonlySet<number> | 'all'

export const NOTHING: Selection = new Set()

/** The number of ids in an address; with more, mail and chat programs break it. */
export const MOST_IN_ADDRESS = 100

/**
 * Yields the selection, kept in the address, so that links, the back button and a reload restore it. A selection that is too
 * long for an address is kept in the history entry: the back button and a reload restore it, links do not.
 */
export function useSelection(): [Selection, (next: Selection) => void] {
  const [parameters] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const text = parameters.get('selected')
  const stored = useMemo(() => (text === null ? readSelection(state) : selectionOf(text)), [text, state])
  // The address follows a moment later; checkboxes do not wait for it, and a second click counts from the first one on.
  const [selected, show] = useOptimistic(stored)
  const select = (next: Selection) =>
    startTransition(async () => {
      show(next)
      const after = new URLSearchParams(location.search)
      after.delete('selected')
      const isShort = next === 'all' || next.size <= MOST_IN_ADDRESS
      if (next === 'all') after.set('selected', next)
      else if (next.size > 0 && isShort) after.set('selected', [...next].join('.'))
      await navigate(`?${after}`, { replace: true, state: isShort ? null : { selected: [...next] } })
    })
  return [selected, select]
}

function selectionOf(text: string): Selection {
  if (text === 'all') return 'all'
  return new Set(text.split('.').flatMap((id) => (/^[1-9]\d{0,14}$/.test(id) ? [Number(id)] : [])))
}

function readSelection(state: unknown): Selection {
  const { selected = [] } = (state ?? {}) as { readonly selected?: readonly number[] } // only `select` stores it
  return new Set(selected)
}
