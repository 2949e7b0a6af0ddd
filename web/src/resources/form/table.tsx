import { Button } from '@patternfly/react-core'
import DownIcon from '@patternfly/react-icons/dist/esm/icons/angle-down-icon'
import RightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon'
import MinusIcon from '@patternfly/react-icons/dist/esm/icons/minus-circle-icon'
import PlusIcon from '@patternfly/react-icons/dist/esm/icons/plus-circle-icon'
import { ExpandableRowContent, Table as PlainTable, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useEffect, useRef, useState } from 'react'
import { Grip, useReordering } from '../../shell/reordering.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { Help, Labelled } from './labelled.tsx'
import { cellKeyOf, type FormValue, isRows, type Messages, type Row, type Rows, withRow } from './values.ts'
import { Widget } from './widget.tsx'

interface TableProps {
  readonly field: FormField
  readonly id: string
  readonly value: Rows
  readonly messages: Messages
  /** The key under which messages about the field are kept. */
  readonly within: string
  readonly onChange: (value: Rows, outdated: readonly string[]) => void
}

/** Rows with more values than this show the others on request. */
const MOST_COLUMNS = 6

/** The columns that people look for in rows with many values. */
const FIRST_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  interfaces_attributes: ['identifier', 'ip', 'mac'],
}

/** Edits a list of objects: a row for each, with its errors at their cells. */
export function Table({ field, id, value, messages, within, onChange }: TableProps) {
  const fields = field.fields ?? []
  const first = FIRST_COLUMNS[field.key]
  const columns = first
    ? first.flatMap((key) => fields.find((one) => one.key === key) ?? [])
    : fields.slice(0, MOST_COLUMNS)
  const others = fields.filter((one) => !columns.includes(one))
  const { rows } = value
  const body = useRef<HTMLDivElement>(null)
  const [added, setAdded] = useState<string | null>(null)
  const isOrdered = field.widget === 'rows' && !field.isParts
  const move = (from: number, to: number) => {
    const [moved] = rows.slice(from, from + 1)
    if (moved) onChange({ rows: rows.toSpliced(from, 1).toSpliced(to, 0, moved) }, [within])
  }
  const reordering = useReordering(move)
  useEffect(() => {
    if (added === null) return
    body.current?.querySelector<HTMLElement>(`[data-row="${added}"] :is(input, select, textarea)`)?.focus()
    setAdded(null)
  }, [added])
  const add = () => {
    const next = withRow(value, fields)
    setAdded(next.rows.at(-1)?.key ?? null)
    onChange(next, [within])
  }
  const remove = (place: number) => {
    const gone = `${within}.${rows[place]?.key}.`
    onChange({ rows: rows.toSpliced(place, 1) }, [
      within,
      ...Object.keys(messages).filter((key) => key.startsWith(gone)),
    ])
    // The focus stays near: at the next row, or at what adds one.
    const buttons = body.current?.querySelectorAll<HTMLElement>('[data-removes], [data-adds]')
    buttons?.[place + 1]?.focus()
  }
  return (
    <div ref={body} className="mw-rows">
      {rows.length > 0 && (
        <PlainTable aria-label={labelOf(field.key)} variant="compact" gridBreakPoint="grid-lg">
          <Thead>
            <Tr>
              {others.length > 0 && <Th screenReaderText={t('form.more')} />}
              {isOrdered && <Th screenReaderText={t('order.title')} />}
              {columns.map(({ key }) => (
                <Th key={key}>{labelOf(key)}</Th>
              ))}
              <Th screenReaderText={t('list.actions')} />
            </Tr>
          </Thead>
          {rows.map((row, place) => (
            <TableRow
              key={row.key}
              row={row}
              place={place}
              name={nameOf(row, columns, place)}
              id={`${id}-${row.key}`}
              columns={columns}
              others={others}
              messages={messages}
              within={within}
              order={isOrdered ? { ...reordering, move, count: rows.length } : null}
              onChange={(next, outdated) => onChange({ rows: rows.with(place, next) }, [within, outdated])}
              remove={() => remove(place)}
            />
          ))}
        </PlainTable>
      )}
      <Button variant="link" isInline icon={<PlusIcon />} data-adds="" onClick={add}>
        {t('form.rows.add', { what: labelOf(field.key) })}
      </Button>
    </div>
  )
}

interface TableRowProps {
  readonly row: Row
  readonly place: number
  readonly name: string
  readonly id: string
  readonly columns: readonly FormField[]
  readonly others: readonly FormField[]
  readonly messages: Messages
  readonly within: string
  readonly order:
    | (ReturnType<typeof useReordering> & {
        readonly move: (from: number, to: number) => void
        readonly count: number
      })
    | null
  readonly onChange: (row: Row, outdated: string) => void
  readonly remove: () => void
}

function TableRow(props: TableRowProps) {
  const { row, place, name, id, columns, others, messages, within, order, onChange, remove } = props
  const [isChosen, setIsChosen] = useState(false)
  const keyOf = (key: string) => cellKeyOf(within, { row: row.key, key })
  // A mistake is never out of sight.
  const isOpen = isChosen || others.some(({ key }) => messages[keyOf(key)])
  const edit = (key: string) => (value: FormValue) =>
    onChange({ ...row, values: { ...row.values, [key]: value } }, keyOf(key))
  const present = (field: FormField, isCell: boolean) => {
    const value = row.values[field.key] ?? ''
    if (isRows(value)) return null
    return (
      <Widget
        field={field}
        id={`${id}-${field.key}`}
        value={value}
        messages={messages[keyOf(field.key)] ?? []}
        isNew={row.id === null}
        type={typeof row.values.parameter_type === 'string' ? row.values.parameter_type : undefined}
        {...(isCell && { name: t('form.rows.cell', { what: labelOf(field.key), name }) })}
        onChange={edit(field.key)}
      />
    )
  }
  return (
    <Tbody isExpanded={isOpen} data-row={row.key}>
      <Tr {...order?.row(place)}>
        {others.length > 0 && (
          <Td isActionCell>
            <Button
              variant="plain"
              icon={isOpen ? <DownIcon /> : <RightIcon />}
              aria-expanded={isOpen}
              aria-label={t('form.rows.cell', { what: t('form.more'), name })}
              onClick={() => setIsChosen(!isOpen)}
            />
          </Td>
        )}
        {order && (
          <Td>
            <Grip name={name} place={place} count={order.count} move={order.move} grip={order.grip(place)} />
          </Td>
        )}
        {columns.map((field) => (
          <Td key={field.key} dataLabel={labelOf(field.key)} data-cell={field.key}>
            {present(field, true)}
            <Help id={`${id}-${field.key}`} messages={messages[keyOf(field.key)] ?? []} />
          </Td>
        ))}
        <Td isActionCell>
          <Button
            variant="plain"
            icon={<MinusIcon />}
            data-removes=""
            aria-label={t('action.remove', { name })}
            onClick={remove}
          />
        </Td>
      </Tr>
      {others.length > 0 && isOpen && (
        <Tr isExpanded>
          <Td colSpan={columns.length + 2}>
            <ExpandableRowContent>
              <div className="mw-group pf-v6-c-form">
                {others.map((field) => (
                  <Labelled
                    key={field.key}
                    field={field}
                    id={`${id}-${field.key}`}
                    messages={messages[keyOf(field.key)] ?? []}
                    isNew={row.id === null}
                  >
                    {present(field, false)}
                  </Labelled>
                ))}
              </div>
            </ExpandableRowContent>
          </Td>
        </Tr>
      )}
    </Tbody>
  )
}

/** Names a row by its first text, otherwise by its place. */
function nameOf({ values }: Row, columns: readonly FormField[], place: number): string {
  const texts = columns.flatMap(({ key, widget }) => {
    const value = values[key]
    if (widget === 'text' && typeof value === 'string') return [value]
    return widget === 'reference' && Array.isArray(value) ? [String(value[0]?.text ?? '')] : []
  })
  return texts.find((text) => text !== '') ?? String(place + 1)
}
