import {
  Checkbox,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core'
import type { ComponentType } from 'react'
import { labelOf, t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { Reference } from './reference.tsx'
import type { FormValue } from './values.ts'

interface FieldProps {
  readonly field: FormField
  readonly value: FormValue
  readonly messages: readonly string[]
  readonly isNew: boolean
  readonly onChange: (value: FormValue) => void
  readonly Hand?: ComponentType<HandWidgetProps> | undefined
}

/** What a widget made by hand is told. */
export interface HandWidgetProps {
  readonly id: string
  readonly value: string
  readonly messages: readonly string[]
  readonly onChange: (value: string) => void
}

/** One field of a form, with what is said of it and what is wrong with it. */
export function Field({ field, value, messages, isNew, onChange, Hand }: FieldProps) {
  const id = `field-${field.key}`
  const isInvalid = messages.length > 0
  return (
    <FormGroup
      label={field.widget === 'switch' ? undefined : labelOf(field.key)}
      isRequired={isNew && field.required}
      fieldId={id}
      data-field={field.key}
    >
      {Hand && typeof value === 'string' ? (
        <Hand id={id} value={value} messages={messages} onChange={onChange} />
      ) : (
        <Widget field={field} id={id} value={value} isInvalid={isInvalid} isNew={isNew} onChange={onChange} />
      )}
      <FormHelperText>
        <HelperText id={`${id}-help`}>
          {messages.map((message) => (
            <HelperTextItem key={message} variant="error">
              {message}
            </HelperTextItem>
          ))}
          {hintOf(field, isNew).map((hint) => (
            <HelperTextItem key={hint}>{hint}</HelperTextItem>
          ))}
        </HelperText>
      </FormHelperText>
    </FormGroup>
  )
}

function hintOf({ doc, widget }: FormField, isNew: boolean): string[] {
  const own = widget === 'secret' && !isNew ? [t('form.secret.kept')] : widget === 'values' ? [t('form.values')] : []
  return [doc, ...own].filter((text) => text !== '')
}

interface WidgetProps extends Omit<FieldProps, 'messages' | 'Hand'> {
  readonly id: string
  readonly isInvalid: boolean
}

function Widget({ field, id, value, isInvalid, isNew, onChange }: WidgetProps) {
  const common = {
    id,
    name: field.key,
    'aria-describedby': `${id}-help`,
    validated: isInvalid ? ('error' as const) : ('default' as const),
    isRequired: isNew && field.required,
  }
  if (typeof value === 'boolean')
    return (
      <Checkbox
        id={id}
        name={field.key}
        label={labelOf(field.key)}
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
      />
    )
  switch (field.widget) {
    case 'choice':
      return (
        <FormSelect {...common} value={value} onChange={(_event, next) => onChange(next)}>
          <FormSelectOption value="" label={t('form.none')} />
          {field.choices?.map((choice) => (
            <FormSelectOption key={choice} value={choice} label={choice} />
          ))}
        </FormSelect>
      )
    case 'long':
    case 'values':
    case 'json':
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
