import { Button, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core'
import MinusIcon from '@patternfly/react-icons/dist/esm/icons/minus-circle-icon'
import PlusIcon from '@patternfly/react-icons/dist/esm/icons/plus-circle-icon'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import { type Flat, type FlatRow, isNumber, KINDS } from './flat.ts'

interface FlatRowsProps {
  readonly id: string
  readonly label: string
  readonly flat: Flat
  readonly isDisabled: boolean
  readonly onChange: (flat: Flat) => void
}

/** Edits a list or map in rows, which are added and removed. */
export function FlatRows({ id, label, flat, isDisabled, onChange }: FlatRowsProps) {
  const { isMap, rows } = flat
  const group = useRef<HTMLFieldSetElement>(null)
  const [added, setAdded] = useState<number | null>(null)
  useEffect(() => {
    if (added === null) return
    group.current?.querySelector<HTMLElement>(`[data-row="${added}"] input`)?.focus()
    setAdded(null)
  }, [added])
  const add = () => {
    const kind = rows.at(-1)?.kind === 'number' ? 'number' : 'text'
    onChange({ isMap, rows: [...rows, { key: '', kind, text: '' }] })
    setAdded(rows.length)
  }
  const remove = (place: number) => {
    onChange({ isMap, rows: rows.toSpliced(place, 1) })
    // The focus stays near: at the next row, or at what adds one.
    group.current?.querySelectorAll<HTMLElement>('[data-removes], [data-adds]')[place + 1]?.focus()
  }
  return (
    <fieldset ref={group} id={id} aria-label={label} aria-describedby={`${id}-help`} className="mw-checks">
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity than their place
        <div key={place} data-row={place} className="mw-states">
          <OneRow
            row={row}
            number={place + 1}
            isMap={isMap}
            isTwice={isMap && rows.some((one, other) => other !== place && one.key === row.key)}
            isDisabled={isDisabled}
            onChange={(next) => onChange({ isMap, rows: rows.with(place, next) })}
          />
          <Button
            variant="plain"
            icon={<MinusIcon />}
            data-removes=""
            aria-label={t('action.remove', { name: t('value.row', { number: place + 1 }) })}
            isDisabled={isDisabled}
            onClick={() => remove(place)}
          />
        </div>
      ))}
      <div>
        <Button variant="link" isInline icon={<PlusIcon />} data-adds="" isDisabled={isDisabled} onClick={add}>
          {t('value.add')}
        </Button>
      </div>
    </fieldset>
  )
}

interface OneRowProps {
  readonly row: FlatRow
  readonly number: number
  readonly isMap: boolean
  /** Whether another row has its key. */
  readonly isTwice: boolean
  readonly isDisabled: boolean
  readonly onChange: (row: FlatRow) => void
}

function OneRow({ row, number, isMap, isTwice, isDisabled, onChange }: OneRowProps) {
  const { kind, text } = row
  const isTyped = kind === 'text' || kind === 'number'
  const isWrong = kind === 'number' && !isNumber(text)
  return (
    <>
      {isMap && (
        <TextInput
          className="mw-entry"
          aria-label={t('value.key', { number })}
          isDisabled={isDisabled}
          validated={isTwice ? 'error' : 'default'}
          value={row.key}
          onChange={(_event, key) => onChange({ ...row, key })}
        />
      )}
      <FormSelect
        className="mw-kind"
        aria-label={t('value.kind', { number })}
        isDisabled={isDisabled}
        value={kind}
        onChange={(_event, next) => onChange({ ...row, kind: KINDS.find((one) => one === next) ?? 'text' })}
      >
        {KINDS.map((one) => (
          <FormSelectOption key={one} value={one} label={t(`value.kind.${one}`)} />
        ))}
      </FormSelect>
      {isTyped && (
        <TextInput
          className="mw-entry"
          aria-label={t('value.item', { number })}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          isDisabled={isDisabled}
          validated={isWrong ? 'error' : 'default'}
          value={text}
          onChange={(_event, next) => onChange({ ...row, text: next })}
        />
      )}
    </>
  )
}
