import { createContext } from 'react'
import type { Mistake } from '../../editor/mistakes.ts'

interface Shared {
  /** What the rendering stopped at; empty while nothing is known to be wrong. */
  readonly mistakes: readonly Mistake[]
  readonly setMistakes: (mistakes: readonly Mistake[]) => void
  /** Puts the cursor into a line of the editor. */
  readonly goToLine: (line: number) => void
  readonly setGoToLine: (go: (line: number) => void) => void
}

const NOTHING = () => undefined

/** What the rendering and the editor of one text know of each other. */
export const Together = createContext<Shared>({
  mistakes: [],
  setMistakes: NOTHING,
  goToLine: NOTHING,
  setGoToLine: NOTHING,
})
