import type { ComponentType } from 'react'
import type { FormField } from '../description.ts'
import { Labelled } from './labelled.tsx'
import { Table } from './table.tsx'
import { cellKeyOf, type FormValue, isRows, type Messages, type Rows } from './values.ts'
import { Widget } from './widget.tsx'

interface FieldProps {
  readonly field: FormField
  readonly value: FormValue
  /** The messages about the whole form. */
  readonly messages: Messages
  readonly isNew: boolean
  /** Hears of a change, and under which keys messages are out of date. */
  readonly onChange: (value: FormValue, outdated: readonly string[]) => void
  /** The declared type of a value that may have any. */
  readonly type?: string | undefined
  readonly Hand?: ComponentType<HandWidgetProps> | undefined
  /** The key of the field with those around it, where it is in a group. */
  readonly within?: string
}

/** The properties of a handmade widget. */
export interface HandWidgetProps {
  readonly id: string
  readonly value: string
  readonly messages: readonly string[]
  readonly onChange: (value: string) => void
}

/** One field of a form, with its description and its errors. */
export function Field({ field, value, messages, isNew, onChange, type, Hand, within = field.key }: FieldProps) {
  const id = `field-${within.replaceAll('.', '-')}`
  const own = messages[within] ?? []
  const change = (next: FormValue) => onChange(next, [within])
  if (isRows(value) && field.widget === 'group')
    return (
      <Labelled field={field} id={id} messages={own} isNew={isNew}>
        <Group field={field} value={value} messages={messages} isNew={isNew} within={within} onChange={onChange} />
      </Labelled>
    )
  return (
    <Labelled field={field} id={id} messages={own} isNew={isNew}>
      {Hand && typeof value === 'string' ? (
        <Hand id={id} value={value} messages={own} onChange={change} />
      ) : isRows(value) ? (
        <Table field={field} id={id} value={value} messages={messages} within={within} onChange={onChange} />
      ) : (
        <Widget field={field} id={id} value={value} messages={own} isNew={isNew} type={type} onChange={change} />
      )}
    </Labelled>
  )
}

interface GroupProps {
  readonly field: FormField
  readonly value: Rows
  readonly messages: Messages
  readonly isNew: boolean
  readonly within: string
  readonly onChange: FieldProps['onChange']
}

/** The fields of a value that is an object. */
function Group({ field, value, messages, isNew, within, onChange }: GroupProps) {
  const [group] = value.rows
  if (!group) return null
  return (
    <div className="mw-group pf-v6-c-form">
      {field.fields?.map((inner) => (
        <Field
          key={inner.key}
          field={inner}
          value={group.values[inner.key] ?? ''}
          messages={messages}
          isNew={isNew}
          within={cellKeyOf(within, { row: group.key, key: inner.key })}
          onChange={(next, outdated) =>
            onChange({ rows: [{ ...group, values: { ...group.values, [inner.key]: next } }] }, [within, ...outdated])
          }
        />
      ))}
    </div>
  )
}
