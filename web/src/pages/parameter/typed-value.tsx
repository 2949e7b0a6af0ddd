import { Button, Switch, TextInput } from '@patternfly/react-core'
import { useState } from 'react'
import { ValueField } from '../../editor/value-field.tsx'
import { t } from '../../words/words.ts'
import { type Flat, flatOf, printFlat } from './flat.ts'
import { FlatRows } from './flat-rows.tsx'

interface TypedValueProps {
  readonly id: string
  readonly label: string
  /** The declared type of the value; blank for any. */
  readonly type: string
  readonly value: string
  readonly messages: readonly string[]
  readonly isDisabled: boolean
  readonly onChange: (value: string) => void
}

/** Edits a value of a declared type: with a switch, as a number, in rows, or as text where it is nested. */
export function TypedValue(properties: TypedValueProps) {
  const { id, label, type, value, messages, isDisabled, onChange } = properties
  const [isText, setIsText] = useState(false)
  // Rows that are not complete yet, such as a number without digits, could not be read again.
  const [typed, setTyped] = useState<{ readonly text: string; readonly flat: Flat } | null>(null)
  const flat = typed?.text === value ? typed.flat : flatOf(type, value)
  if (type === 'boolean' && ['', 'true', 'false'].includes(value))
    return (
      <Switch
        id={id}
        aria-label={label}
        aria-describedby={`${id}-help`}
        label={t(value === 'true' ? 'value.yes' : 'value.no')}
        isDisabled={isDisabled}
        isChecked={value === 'true'}
        onChange={(_event, is) => onChange(String(is))}
      />
    )
  if (type === 'integer' || type === 'real')
    return (
      <TextInput
        id={id}
        name={id}
        className="mw-number"
        aria-label={label}
        aria-describedby={`${id}-help`}
        inputMode={type === 'integer' ? 'numeric' : 'decimal'}
        isDisabled={isDisabled}
        validated={messages.length > 0 ? 'error' : 'default'}
        value={value}
        onChange={(_event, next) => onChange(next)}
      />
    )
  if (!flat) return <ValueField {...properties} />
  return (
    <>
      {isText ? (
        <ValueField {...properties} />
      ) : (
        <FlatRows
          id={id}
          label={label}
          flat={flat}
          isDisabled={isDisabled}
          onChange={(next) => {
            const text = printFlat(next)
            setTyped({ text, flat: next })
            onChange(text)
          }}
        />
      )}
      <Button variant="link" isInline isDisabled={isDisabled} onClick={() => setIsText(!isText)}>
        {t(isText ? 'value.rows' : 'value.text')}
      </Button>
    </>
  )
}
