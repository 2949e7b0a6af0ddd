import { createContext } from 'react'

interface MistakeAt {
  /** The line that the rendering stopped at; null while nothing is known to be wrong. */
  readonly line: number | null
  readonly setLine: (line: number | null) => void
}

/** What the rendering says is wrong with the text, for the editor to show it at its line. */
export const Mistake = createContext<MistakeAt>({ line: null, setLine: () => undefined })

/** The line of the text that a message of the service is about. */
export function lineOf(message: string): number | null {
  const found = /\bline (\d+)/.exec(message)?.[1]
  return found === undefined || /snippet '/.test(message) ? null : Number(found)
}

/** Where the editor has its text. */
export const EDITOR_ID = 'field-template'

/** Puts the cursor into a line of the editor. */
export function goToLine(line: number): void {
  const editor = document.getElementById(EDITOR_ID)
  if (!(editor instanceof HTMLTextAreaElement)) return
  const lines = editor.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0)
  editor.focus()
  editor.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  editor.scrollTop = (editor.scrollHeight / Math.max(1, lines.length)) * Math.max(0, line - 5)
}
