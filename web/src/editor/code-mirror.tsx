import { HelperText } from '@patternfly/react-core'
import { useEffect, useRef, useState } from 'react'
import { HelperTextItem } from '../shell/patternfly-parts.tsx'
import { t } from '../words/words.ts'
import { type CodeView, createCodeView } from './code-view.ts'
import type { LoadNames } from './completion.ts'
import type { Language } from './languages.ts'
import type { Mistake } from './mistakes.ts'

export interface CodeProps {
  readonly id: string
  readonly label: string
  readonly language: Language
  readonly value: string
  readonly onChange: (value: string) => void
  /** Mistakes that the service has reported, with their lines. */
  readonly mistakes?: readonly Mistake[]
  readonly isInvalid?: boolean
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  /** The id of the element that describes the field. */
  readonly describedBy?: string
  /** Loads the names that are completed in templates. */
  readonly loadNames?: LoadNames | null
  /** Receives a function that puts the cursor into a line. */
  readonly onReady?: (goToLine: (line: number) => void) => void
}

const NONE: readonly Mistake[] = []
const MOST_SHOWN = 3

/**
 * CodeMirror in a shadow root, in which style sheets are objects: the shell's content security policy forbids style
 * elements. Labels and descriptions outside of the shadow root do not apply inside, so the editor gets them as properties.
 */
export function CodeMirror(properties: CodeProps) {
  const { id, label, language, value, describedBy, mistakes = NONE, loadNames = null } = properties
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
      // An equal list is not replaced, to avoid a new rendering.
      onMistakes: (next) => setFound((now) => (isSame(now, next) ? now : next)),
    })
    view.current = created
    latest.current.onReady?.(created.goToLine)
    return () => created.destroy()
  }, [])
  useEffect(() => view.current?.setValue(value), [value])
  useEffect(() => view.current?.setLanguage(language), [language])
  useEffect(() => view.current?.setMistakes(mistakes), [mistakes])
  useEffect(() => view.current?.setNames(loadNames), [loadNames])
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
