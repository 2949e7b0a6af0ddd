import { Checkbox, FormSelect, FormSelectOption, TextArea, TextInput } from '@patternfly/react-core'
import { Code } from '../../editor/code.tsx'
import { mistakesOf } from '../../editor/mistakes-of.ts'
import { ValueField } from '../../editor/value-field.tsx'
import { nameOfProduct } from '../../words/products.ts'
import { labelOf, t, type Word } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { nameOfType } from '../resources.ts'
import { Reference } from './reference.tsx'
import type { Chosen, FormValue } from './values.ts'

interface WidgetProps {
  readonly field: FormField
  readonly id: string
  readonly value: string | boolean | readonly Chosen[]
  readonly messages: readonly string[]
  readonly isNew: boolean
  /** The declared type of a value that may have any. */
  readonly type: string | undefined
  /** Its name in a table, where no label stands beside it. */
  readonly name?: string
  readonly onChange: (value: FormValue) => void
}

/** What one value is edited with; its description has the id with `-help`. */
export function Widget({ field, id, value, messages, isNew, type, name, onChange }: WidgetProps) {
  const isInvalid = messages.length > 0
  const label = name ?? labelOf(field.key)
  const common = {
    id,
    name: field.key,
    'aria-describedby': `${id}-help`,
    'aria-label': name,
    validated: isInvalid ? ('error' as const) : ('default' as const),
    isRequired: isNew && field.required,
  }
  if (typeof value === 'boolean')
    return (
      <Checkbox
        id={id}
        name={field.key}
        {...(name === undefined ? { label } : { 'aria-label': name })}
        isChecked={value}
        aria-describedby={`${id}-help`}
        onChange={(_event, is) => onChange(is)}
      />
    )
  if (typeof value !== 'string')
    return (
      <Reference
        field={field}
        id={id}
        value={value}
        onChange={onChange}
        describedBy={`${id}-help`}
        isInvalid={isInvalid}
        label={label}
      />
    )
  if (field.widget === 'json' || field.widget === 'template')
    return (
      <Code
        id={id}
        label={label}
        language={field.widget}
        value={value}
        mistakes={mistakesOf(messages)}
        isInvalid={isInvalid}
        isRequired={common.isRequired}
        describedBy={`${id}-help`}
        onChange={onChange}
      />
    )
  switch (field.widget) {
    case 'choice':
      return (
        <FormSelect {...common} value={value} onChange={(_event, next) => onChange(next)}>
          <FormSelectOption value="" label={t('form.none')} />
          {field.choices?.map((choice) => (
            <FormSelectOption key={choice} value={choice} label={nameOfChoice(field.key, choice)} />
          ))}
        </FormSelect>
      )
    case 'value':
      return <ValueField id={id} label={label} type={type} messages={messages} value={value} onChange={onChange} />
    case 'long':
    case 'values':
      return (
        <TextArea
          {...common}
          value={value}
          resizeOrientation="vertical"
          autoResize
          className={field.widget === 'long' ? undefined : 'mw-code'}
          spellCheck={field.widget === 'long'}
          onChange={(_event, next) => onChange(next)}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          type={field.widget === 'secret' ? 'password' : 'text'}
          autoComplete={field.widget === 'secret' ? 'new-password' : 'off'}
          inputMode={field.widget === 'number' ? 'numeric' : undefined}
          value={value}
          onChange={(_event, next) => onChange(next)}
        />
      )
  }
}

const ANSWERS: Readonly<Record<string, Word>> = { true: 'value.yes', false: 'value.no' }

function nameOfChoice(key: string, choice: string): string {
  if (key === 'server_type') return nameOfProduct(choice)
  if (/_type$/.test(key)) return nameOfType(choice)
  return ANSWERS[choice] === undefined ? choice : t(ANSWERS[choice])
}
