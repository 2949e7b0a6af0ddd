import { Button, FormSection, Label } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { formatNumber, t, type Word } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import type { Messages } from './values.ts'

/** A group of fields under a title. */
export interface Section {
  readonly title: Word
  readonly keys: readonly string[]
}

/** A section with its fields. */
export interface Divided {
  readonly title: Word
  readonly fields: readonly FormField[]
}

/** Divides the fields of a form among its sections; the last part has those of none. */
export function divideFields(fields: readonly FormField[], sections: readonly Section[]): readonly Divided[] {
  const parts = sections.map(({ title, keys }) => ({
    title,
    fields: keys.flatMap((key) => fields.find((field) => field.key === key) ?? []),
  }))
  const rest = fields.filter(({ key }) => !sections.some(({ keys }) => keys.includes(key)))
  return [...parts, { title: 'form.more' as const, fields: rest }].filter((part) => part.fields.length > 0)
}

interface SectionOfProps {
  readonly title: Word
  readonly children: ReactNode
}

/** The fields of a section. The contents put the focus on it. */
export function SectionOf({ title, children }: SectionOfProps) {
  return (
    <FormSection id={idOf(title)} tabIndex={-1} className="mw-form-section" title={t(title)} titleElement="h2">
      {children}
    </FormSection>
  )
}

interface ContentsProps {
  readonly parts: readonly Divided[]
  readonly messages: Messages
}

/** The contents of a long form: each section with the number of its errors. */
export function Contents({ parts, messages }: ContentsProps) {
  return (
    <nav className="mw-contents" aria-label={t('form.contents')}>
      <ul>
        {parts.map(({ title, fields }) => {
          const count = countErrors(fields, messages)
          return (
            <li key={title}>
              <Button variant="link" isInline onClick={() => focusSection(title)}>
                {t(title)}
              </Button>{' '}
              {count > 0 && (
                <Label isCompact color="red">
                  {t('form.contents.errors', { count: formatNumber(count) })}
                </Label>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Counts the fields with errors among these, and in their rows. */
export function countErrors(fields: readonly FormField[], messages: Messages): number {
  const isOf = (key: string, field: FormField) => key === field.key || key.startsWith(`${field.key}.`)
  return Object.keys(messages).filter((key) => fields.some((field) => isOf(key, field))).length
}

/** Puts the focus on a section, whose fields the next keys reach. */
export function focusSection(title: Word): void {
  const section = document.getElementById(idOf(title))
  section?.scrollIntoView({ block: 'start' })
  section?.focus({ preventScroll: true })
}

function idOf(title: Word): string {
  return `section-${title.replaceAll('.', '-')}`
}
