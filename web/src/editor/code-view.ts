import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { nextDiagnostic } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { t } from '../words/words.ts'
import { completeNames, type LoadNames } from './completion.ts'
import { LANGUAGES, type Language } from './languages.ts'
import { type Mistake, markMistakes, setSaid } from './mistakes.ts'
import { replaceDirectly } from './replacing.ts'
import { looks } from './theme.ts'

export interface CodeView {
  readonly setValue: (value: string) => void
  readonly setLanguage: (language: Language) => void
  readonly setMistakes: (mistakes: readonly Mistake[]) => void
  readonly setField: (field: Field) => void
  /** Sets how the names are loaded that are completed in templates; null for none. */
  readonly setNames: (load: LoadNames | null) => void
  readonly goToLine: (line: number) => void
  readonly destroy: () => void
}

/** The properties of the editor as a field of its form. */
interface Field {
  readonly id: string
  readonly label: string
  readonly describedBy?: string | undefined
  readonly isInvalid: boolean
  readonly isDisabled: boolean
  readonly isRequired: boolean
}

interface Options {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onMistakes: (found: readonly Mistake[]) => void
}

/** Keys of the console take precedence: Ctrl+Enter saves. Tab moves to the next field, as everywhere; Ctrl+] indents. */
const KEYS = [
  ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
  ...historyKeymap,
  { key: 'F8', run: nextDiagnostic },
]

/** Creates an editor in the shadow root of an element. */
export function createCodeView(host: HTMLElement, { value, onChange, onMistakes }: Options): CodeView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
  const [language, field] = [new Compartment(), new Compartment()]
  let spoken: Language | null = null
  let told = '[]'
  let loadNames: LoadNames | null = null
  let isQuiet = false
  // Values that were reported to the form and come back a moment later, when more may have been typed.
  let echoes: string[] = []
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        lineNumbers(),
        history(),
        highlightSpecialChars(),
        bracketMatching(),
        indentOnInput(),
        replaceDirectly(),
        completeNames(async () => (loadNames ? loadNames() : null)),
        keymap.of(KEYS),
        looks(),
        language.of([]),
        field.of([]),
        markMistakes(() => spoken ?? 'template', onMistakes),
        EditorState.phrases.of({
          'Control character': t('editor.control'),
          'Selection deleted': t('editor.deleted'),
          Completions: t('editor.completions'),
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged || isQuiet) return
          const text = state.doc.toString()
          echoes.push(text)
          onChange(text)
        }),
      ],
    }),
  })
  const release = focusByLabel(host, view)
  return {
    setValue: (next) => {
      const echo = echoes.indexOf(next)
      echoes = echo < 0 ? [] : echoes.slice(echo + 1)
      if (echo >= 0) return
      const { doc } = view.state
      // The text of a form may have other line ends than the editor.
      const text = next.replace(/\r\n?/g, '\n')
      if (doc.toString() === text) return
      isQuiet = true
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text } })
      isQuiet = false
    },
    setLanguage: (next) => {
      if (next === spoken) return
      spoken = next
      view.dispatch({ effects: language.reconfigure(LANGUAGES[next]()) })
    },
    setMistakes: (mistakes) => {
      const text = JSON.stringify(mistakes)
      if (text === told) return
      told = text
      view.dispatch({ effects: setSaid.of(mistakes) })
    },
    setField: (next) => {
      view.dispatch({ effects: field.reconfigure(attributesOf(next)) })
      const explaining = next.describedBy === undefined ? null : document.getElementById(next.describedBy)
      view.contentDOM.ariaDescribedByElements = explaining ? [explaining] : null
    },
    setNames: (next) => {
      loadNames = next
    },
    goToLine: (line) => {
      const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
      view.dispatch({
        selection: { anchor: from, head: to },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      })
      view.focus()
    },
    destroy: () => {
      release()
      view.destroy()
    },
  }
}

function attributesOf({ label, isInvalid, isDisabled, isRequired }: Field) {
  return [
    EditorView.contentAttributes.of({
      'aria-label': label,
      // Makes a read-only field focusable, so that it can be scrolled with keys.
      tabindex: '0',
      ...(isInvalid && { 'aria-invalid': 'true' }),
      ...(isRequired && { 'aria-required': 'true' }),
      ...(isDisabled && { 'aria-disabled': 'true' }),
    }),
    EditorState.readOnly.of(isDisabled),
    EditorView.editable.of(!isDisabled),
  ]
}

/** Makes clicks on outside labels focus the editor, which they cannot do in a shadow root by themselves. */
function focusByLabel(host: HTMLElement, view: EditorView): () => void {
  const label = host.closest('form, body')?.querySelector(`label[for="${CSS.escape(host.id)}"]`)
  const focus = () => view.focus()
  label?.addEventListener('click', focus)
  return () => label?.removeEventListener('click', focus)
}
