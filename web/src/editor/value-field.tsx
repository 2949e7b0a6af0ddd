import { TextArea } from '@patternfly/react-core'
import { useMemo } from 'react'
import { Code } from './code.tsx'
import { languageOfType } from './language-of-type.ts'
import { mistakesOf } from './mistakes-of.ts'

interface ValueFieldProps {
  readonly id: string
  readonly label: string
  /** The declared type of the value: json, yaml, array, hash, or another. */
  readonly type: string | null | undefined
  readonly value: string
  readonly messages: readonly string[]
  readonly isDisabled?: boolean
  readonly onChange: (value: string) => void
}

/**
 * A field for a value of any type: plain text, or code where the type has a language. Its description has the id with
 * `-help`.
 */
export function ValueField({ id, label, type, value, messages, isDisabled = false, onChange }: ValueFieldProps) {
  const language = languageOfType(type, value)
  const mistakes = useMemo(() => mistakesOf(messages), [messages])
  if (language !== null)
    return (
      <Code
        id={id}
        label={label}
        language={language}
        value={value}
        mistakes={mistakes}
        isInvalid={messages.length > 0}
        isDisabled={isDisabled}
        describedBy={`${id}-help`}
        onChange={onChange}
      />
    )
  return (
    <TextArea
      id={id}
      name={id}
      aria-label={label}
      aria-describedby={`${id}-help`}
      className="mw-code"
      rows={1}
      autoResize
      resizeOrientation="vertical"
      spellCheck={false}
      isDisabled={isDisabled}
      validated={messages.length > 0 ? 'error' : 'default'}
      value={value}
      onChange={(_event, next) => onChange(next)}
    />
  )
}
