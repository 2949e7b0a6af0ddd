import { FormGroup, FormHelperText, HelperText } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { HelperTextItem } from '../../shell/patternfly-parts.tsx'
import { labelOf, t, type Word } from '../../words/words.ts'
import type { FormField } from '../description.ts'

interface LabelledProps {
  readonly field: FormField
  readonly id: string
  readonly messages: readonly string[]
  readonly isNew: boolean
  readonly children: ReactNode
}

/** A widget with its label, its description and its errors. */
export function Labelled({ field, id, messages, isNew, children }: LabelledProps) {
  const isGroup = field.fields !== undefined
  return (
    <FormGroup
      label={field.widget === 'switch' ? undefined : labelOf(field.key)}
      isRequired={isNew && field.required}
      fieldId={id}
      data-field={field.key}
      {...(isGroup && { role: 'group' })}
    >
      {children}
      <Help id={id} messages={messages} hints={hintsOf(field, isNew)} />
    </FormGroup>
  )
}

interface HelpProps {
  readonly id: string
  readonly messages: readonly string[]
  readonly hints?: readonly string[]
}

/** The errors of a widget, and what there is to know of it. */
export function Help({ id, messages, hints = [] }: HelpProps) {
  return (
    <FormHelperText>
      <HelperText id={`${id}-help`}>
        {messages.map((message) => (
          <HelperTextItem key={message} variant="error">
            {message}
          </HelperTextItem>
        ))}
        {hints.map((hint) => (
          <HelperTextItem key={hint}>{hint}</HelperTextItem>
        ))}
      </HelperText>
    </FormHelperText>
  )
}

const HINTS: Partial<Record<FormField['widget'], Word>> = {
  secret: 'form.secret.kept',
  values: 'form.values',
  json: 'editor.keys',
  template: 'editor.keys',
  entries: 'form.entries',
}

function hintsOf(field: FormField, isNew: boolean): string[] {
  const { widget } = field
  const own = HINTS[widget] && (widget !== 'secret' || !isNew) ? [t(HINTS[widget])] : []
  return [shortenHint(field), ...own].filter((text) => text !== '')
}

/** Leaves out a hint that only repeats the label, or says of which records the ids are: people choose them by name. */
function shortenHint({ key, doc, widget }: FormField): string {
  const label = toPlainWords(labelOf(key))
  const isOfIds = (sentence: string) => /^references?$/.test(widget) && /^Ids? (?:of|de[rs])\b/.test(sentence)
  const isSuperfluous = (sentence: string) => toPlainWords(sentence) === label || isOfIds(sentence)
  return doc.split(/(?<=\.) /).every(isSuperfluous) ? '' : doc
}

function toPlainWords(text: string): string {
  return text.toLocaleLowerCase().replace(/^(?:the|its|der|die|das|seine?|ihre?) |\.$/g, '')
}
