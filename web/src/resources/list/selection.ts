import { startTransition, useMemo, useOptimistic } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** What is selected in a list: records by their ids, or all that its search finds, on whichever page they are. */
export type Selection = ReadonlySet<number> | 'all'

export const NOTHING: Selection = new Set()

/** More ids than that would make addresses that mail and chat break off. */
export const MOST_IN_ADDRESS = 100

/**
 * What is selected, as the address says it, so that links, the back button and a reload keep it. What is too much for the
 * address stays with the entry of the history: the back button and a reload find it there, links do not have it.
 */
export function useSelection(): [Selection, (next: Selection) => void] {
  const [parameters] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const text = parameters.get('selected')
  const stored = useMemo(() => (text === null ? selectionIn(state) : selectionOf(text)), [text, state])
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

function selectionIn(state: unknown): Selection {
  const { selected = [] } = (state ?? {}) as { readonly selected?: readonly number[] } // stored by `select` alone
  return new Set(selected)
}
