import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { BASE } from '../api/client.ts'
import { useCaller } from '../api/session.ts'

// What was typed and not saved yet outlives a reload of the page. It stays in this tab of the browser, until it is saved or
// given up; secrets are never among it.

const PREFIX = 'millwright draft '

export interface Draft {
  readonly find: () => unknown
  readonly keep: (value: unknown) => void
  readonly drop: () => void
}

/** What the caller has typed on this page, in a form of this name. */
export function useDraft(form: string): Draft {
  const { id } = useCaller()
  const { pathname } = useLocation()
  // A form that is being left still stands where it was opened.
  const [key] = useState(`${PREFIX}${id} ${BASE} ${pathname} ${form}`)
  return {
    find: () => readStored(key),
    keep: (value) => store(key, JSON.stringify(value)),
    drop: () => sessionStorage.removeItem(key),
  }
}

/** A state that is there again after a reload. What stands at first is not kept. */
export function useKept<Value>(form: string, first: Value, isSecret = false): [Value, Dispatch<SetStateAction<Value>>] {
  const draft = useDraft(form)
  const state = useState(() => (isSecret ? first : ((draft.find() as Value | null) ?? first))) // it keeps nothing else
  const [value] = state
  const isKept = !isSecret && JSON.stringify(value) !== JSON.stringify(first)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept follows what is typed
  useEffect(() => {
    if (isKept) draft.keep(value)
    else draft.drop()
  }, [value, isKept])
  return state
}

/** Forgets what anybody has typed in this tab. */
export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

function readStored(key: string): unknown {
  return JSON.parse(sessionStorage.getItem(key) ?? 'null')
}

function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // There is no room left: what stands on the page still does.
  }
}
