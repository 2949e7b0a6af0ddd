import type { ComponentType, ReactNode } from 'react'
import type { FormField } from '../description.ts'
import type { ApiRecord } from '../resources.ts'
import type { HandWidgetProps } from './field.tsx'
import type { Divided, Section } from './sections.tsx'
import type { Body, FormValue, FormValues, Messages } from './values.ts'

/** What handmade pages add to a form. */
export interface FormParts {
  /** Groups of fields that come first; the others follow. */
  readonly sections?: readonly Section[]
  /** Whether the form is so long that it has a list of its sections. */
  readonly hasContents?: boolean
  /** Shows the sections in another way than one below the other. */
  readonly Sections?: ComponentType<SectionsProps>
  readonly Beside?: ComponentType<BesideProps>
  /** Handmade widgets by the key of their field. */
  readonly widgets?: Readonly<Record<string, ComponentType<HandWidgetProps>>>
  /** Initial values of a new record, which are sent. */
  readonly given?: ApiRecord
  /** The record whose values a new one begins with, without those of some keys. */
  readonly copied?: { readonly record: ApiRecord; readonly without: ReadonlySet<string> } | undefined
  /** What is said below a field, by its key. */
  readonly notes?: Readonly<Record<string, ComponentType<NoteProps>>>
  /** Shows a field and what surrounds it. */
  readonly Frame?: ComponentType<FrameProps>
  /** The fields of an existing record that are sent as the form shows them when another one has changed, by its key. */
  readonly sentWith?: Readonly<Record<string, readonly string[]>>
}

/** The properties of a component beside a form that follows what is typed. */
export interface BesideProps {
  readonly id: string | null
  /** The stored record; null for a new one. */
  readonly record: ApiRecord | null
  /** The body that would be sent now. */
  readonly body: Body
  /** The values in the form. */
  readonly values: FormValues
  /** Messages about fields whose values cannot be parsed yet. */
  readonly mistakes: Messages
  /** Shows errors of a refused request at their fields. */
  readonly refuse: (error: unknown) => void
}

/** The properties of what shows the sections of a form. */
export interface SectionsProps extends BesideProps {
  readonly parts: readonly Divided[]
  /** The errors by the key of their field. */
  readonly messages: Messages
  readonly present: (field: FormField) => ReactNode
}

/** The properties of a note below a field. */
export interface NoteProps {
  readonly value: FormValue
  /** The stored record; null for a new one. */
  readonly record: ApiRecord | null
}

/** The properties of what surrounds a field. */
export interface FrameProps {
  readonly field: FormField
  readonly value: FormValue
  /** All values of the form. */
  readonly values: FormValues
  readonly isNew: boolean
  readonly isRefused: boolean
  readonly onChange: (value: FormValue) => void
  /** The field, as forms show it. */
  readonly children: ReactNode
}
