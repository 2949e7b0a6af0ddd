import {
  Checkbox,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  TextArea,
  TextInput,
} from '@patternfly/react-core'
import type { ComponentType } from 'react'
import { Code } from '../../editor/code.tsx'
import { mistakesOf } from '../../editor/mistakes-of.ts'
import { ValueField } from '../../editor/value-field.tsx'
import { HelperTextItem } from '../../shell/patternfly.tsx'
import { labelOf, t, type Word } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { nameOfType } from '../resources.ts'
import { Reference } from './reference.tsx'
import type { FormValue } from './values.ts'

interface FieldProps {
  readonly field: FormField
  readonly value: FormValue
  readonly messages: readonly string[]
  readonly isNew: boolean
  readonly onChange: (value: FormValue) => void
  /** The declared type of a value that may have any. */
  readonly type?: string | undefined
  readonly Hand?: ComponentType<HandWidgetProps> | undefined
}

/** The properties of a handmade widget. */
export interface HandWidgetProps {
  readonly id: string
  readonly value: string
  readonly messages: readonly string[]
  readonly onChange: (value: string) => void
}

/** One field of a form, with its description and its errors. */
export function Field({ field, value, messages, isNew, onChange, type, Hand }: FieldProps) {
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
        <Widget
          field={field}
          id={id}
          value={value}
          messages={messages}
          isInvalid={isInvalid}
          isNew={isNew}
          type={type}
          onChange={onChange}
        />
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

const HINTS: Partial<Record<FormField['widget'], Word>> = {
  secret: 'form.secret.kept',
  values: 'form.values',
  json: 'editor.keys',
  template: 'editor.keys',
}

function hintOf({ doc, widget }: FormField, isNew: boolean): string[] {
  const own = HINTS[widget] && (widget !== 'secret' || !isNew) ? [t(HINTS[widget])] : []
  return [doc, ...own].filter((text) => text !== '')
}

interface WidgetProps extends Omit<FieldProps, 'Hand'> {
  readonly id: string
  readonly isInvalid: boolean
}

function Widget({ field, id, value, messages, isInvalid, isNew, type, onChange }: WidgetProps) {
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
  if (field.widget === 'json' || field.widget === 'template')
    return (
      <Code
        id={id}
        label={labelOf(field.key)}
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
            <FormSelectOption
              key={choice}
              value={choice}
              label={/_type$/.test(field.key) ? nameOfType(choice) : choice}
            />
          ))}
        </FormSelect>
      )
    case 'value':
      return (
        <ValueField
          id={id}
          label={labelOf(field.key)}
          type={type}
          messages={messages}
          value={value}
          onChange={onChange}
        />
      )
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
