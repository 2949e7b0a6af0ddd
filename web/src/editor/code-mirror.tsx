import { HelperText, HelperTextItem } from '@patternfly/react-core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../words/words.ts'
import { type CodeView, createCodeView } from './code-view.ts'
import type { Language } from './languages.ts'
import type { Mistake } from './mistakes.ts'

export interface CodeProps {
  readonly id: string
  readonly label: string
  readonly language: Language
  readonly value: string
  readonly onChange: (value: string) => void
  /** What the service says is wrong, at its lines. */
  readonly mistakes?: readonly Mistake[]
  readonly isInvalid?: boolean
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  /** The id of what explains the field. */
  readonly describedBy?: string
  /** Takes the way to put the cursor into a line. */
  readonly onReady?: (goToLine: (line: number) => void) => void
}

const NONE: readonly Mistake[] = []
const MOST_SHOWN = 3

/**
 * CodeMirror in a shadow root, where its style sheets are objects: the policy of the shell allows no style elements. Names
 * and explanations of outside do not reach in there, so the editor is told them.
 */
export function CodeMirror(properties: CodeProps) {
  const { id, label, language, value, describedBy, mistakes = NONE } = properties
  const { isInvalid = false, isDisabled = false, isRequired = false } = properties
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<CodeView | null>(null)
  const latest = useRef(properties)
  const [found, setFound] = useState(NONE)
  useEffect(() => {
    latest.current = properties
  })
  useEffect(() => {
    if (!host.current) return
    const created = createCodeView(host.current, {
      value: latest.current.value,
      onChange: (text) => latest.current.onChange(text),
      // What is the same stays the same, so that nothing is shown anew.
      onMistakes: (next) => setFound((now) => (isSame(now, next) ? now : next)),
    })
    view.current = created
    latest.current.onReady?.(created.goToLine)
    return () => created.destroy()
  }, [])
  useEffect(() => view.current?.setValue(value), [value])
  useEffect(() => view.current?.setLanguage(language), [language])
  useEffect(() => view.current?.setMistakes(mistakes), [mistakes])
  useEffect(
    () => view.current?.setField({ id, label, describedBy, isInvalid, isDisabled, isRequired }),
    [id, label, describedBy, isInvalid, isDisabled, isRequired],
  )
  return (
    <>
      <div
        ref={host}
        id={id}
        className="mw-code-field"
        data-language={language}
        data-invalid={isInvalid || undefined}
      />
      {found.length > 0 && (
        <HelperText>
          {found.slice(0, MOST_SHOWN).map(({ line, message }) => (
            <HelperTextItem key={`${line} ${message}`} variant="warning">
              {t('editor.mistake', { line, message })}
            </HelperTextItem>
          ))}
        </HelperText>
      )}
    </>
  )
}

function isSame(one: readonly Mistake[], other: readonly Mistake[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
