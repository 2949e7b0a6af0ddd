import { createContext } from 'react'
import type { Mistake } from '../../editor/mistakes.ts'

interface Shared {
  /** The error at which rendering stopped; empty when there is none. */
  readonly mistakes: readonly Mistake[]
  readonly setMistakes: (mistakes: readonly Mistake[]) => void
  /** Puts the cursor into a line of the editor. */
  readonly goToLine: (line: number) => void
  readonly setGoToLine: (go: (line: number) => void) => void
  /** The id of the host that the text is rendered for; null for none. */
  readonly host: number | null
  readonly setHost: (host: number | null) => void
}

const doNothing = () => undefined

/** Connects the preview and the editor of a template. */
export const Together = createContext<Shared>({
  mistakes: [],
  setMistakes: doNothing,
  goToLine: doNothing,
  setGoToLine: doNothing,
  host: null,
  setHost: doNothing,
})
