import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { BASE } from '../api/client.ts'
import { useCaller } from '../api/session.ts'

// Keeps unsaved input across reloads of the page. It stays in this tab of the browser until it is saved or given up; secrets
// are never kept.

const PREFIX = 'millwright draft '

export interface Draft {
  readonly find: () => unknown
  readonly keep: (value: unknown) => void
  readonly drop: () => void
}

/** Yields the draft of the caller on this page, for a form of this name. */
export function useDraft(form: string): Draft {
  const { id } = useCaller()
  const { pathname } = useLocation()
  // The key is fixed when the form opens, because the address changes before a form is closed.
  const [key] = useState(`${PREFIX}${id} ${BASE} ${pathname} ${form}`)
  return {
    find: () => readStored(key),
    keep: (value) => store(key, JSON.stringify(value)),
    drop: () => sessionStorage.removeItem(key),
  }
}

/** A state that survives a reload. The initial value is not kept. */
export function useKept<Value>(form: string, first: Value, isSecret = false): [Value, Dispatch<SetStateAction<Value>>] {
  const draft = useDraft(form)
  const state = useState(() => (isSecret ? first : ((draft.find() as Value | null) ?? first))) // nothing else is kept under the key
  const [value] = state
  const isKept = !isSecret && JSON.stringify(value) !== JSON.stringify(first)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept follows what is typed
  useEffect(() => {
    if (isKept) draft.keep(value)
    else draft.drop()
  }, [value, isKept])
  return state
}

/** Deletes all drafts in this tab. */
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
    // The storage is full; the page itself still has the input.
  }
}
