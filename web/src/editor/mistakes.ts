import { jsonParseLinter } from '@codemirror/lang-json'
import { syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { t } from '../words/words.ts'
import type { Language } from './languages.ts'

/** A mistake, and the line of the text in which it is. */
export interface Mistake {
  readonly line: number
  readonly message: string
}

/** Sets the mistakes that the service reported. */
export const setSaid = StateEffect.define<readonly Mistake[]>()

const said = StateField.define<readonly Mistake[]>({
  create: () => [],
  update: (mistakes, { effects }) => effects.find((one) => one.is(setSaid))?.value ?? mistakes,
})

const PAUSE_MS = 250

/** Marks mistakes at their lines: those that the service reported, and syntax errors of the language. */
export function markMistakes(language: () => Language, onMistakes: (found: readonly Mistake[]) => void): Extension {
  const look = (view: EditorView): readonly Diagnostic[] => {
    const { state } = view
    const unread = readMistakes(language(), view)
    onMistakes(unread.map(({ from, message }) => ({ line: state.doc.lineAt(from).number, message })))
    return [...unread, ...state.field(said).map((mistake) => placeAtLine(state, mistake))]
  }
  const needsRefresh = ({ transactions }: { readonly transactions: readonly { effects: readonly unknown[] }[] }) =>
    transactions.some(({ effects }) => effects.some((one) => one instanceof StateEffect && one.is(setSaid)))
  return [said, lintGutter(), linter(look, { delay: PAUSE_MS, needsRefresh })]
}

function placeAtLine({ doc }: EditorState, { line, message }: Mistake): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return { from, to, severity: 'error', message }
}

const MOST = 20

/** Keeps the first syntax error of each line, because parsers report one mistake several times. */

function readMistakes(language: Language, view: EditorView): readonly Diagnostic[] {
  const { state } = view
  // A value with a template tag can only be parsed once it is rendered.
  if (state.doc.length === 0 || /<%.*?%>/s.test(state.sliceDoc())) return []
  if (language === 'json') return jsonParseLinter()(view)
  if (language !== 'yaml') return []
  const found = new Map<number, Diagnostic>()
  syntaxTree(state).iterate({
    enter: ({ type, from, to }) => {
      const line = state.doc.lineAt(from).number
      if (!type.isError || found.has(line) || found.size === MOST) return
      found.set(line, { from, to, severity: 'error', message: t('editor.yaml') })
    },
  })
  return [...found.values()]
}
