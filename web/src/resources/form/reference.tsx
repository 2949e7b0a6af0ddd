import { Button, Label, TextInputGroup, TextInputGroupMain, TextInputGroupUtilities } from '@patternfly/react-core'
import TimesIcon from '@patternfly/react-icons/dist/esm/icons/times-icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { LabelGroup } from '../../shell/patternfly-parts.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { findResource, recordsOf, textOf } from '../resources.ts'
import type { Chosen } from './values.ts'

interface ReferenceProps {
  readonly field: FormField
  readonly id: string
  readonly value: readonly Chosen[]
  readonly onChange: (value: readonly Chosen[]) => void
  readonly describedBy: string
  readonly isInvalid: boolean
  /** The label, where it differs from that of the key. */
  readonly label?: string
}

const OFFERED = 20

/** Chooses one or several records of another resource by typing a part of their names. */
export function Reference({ field, id, value, onChange, describedBy, isInvalid, label }: ReferenceProps) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [index, setIndex] = useState(-1)
  const resource = findResource(field.target ?? '')
  const { offered, isCurrent } = useOffered(field.target ?? '', text.trim(), isOpen)
  const [isAwaited, setIsAwaited] = useState(false)
  const isOne = field.widget === 'reference'
  const shown = isOpen ? offered.filter((one) => !value.some((chosen) => chosen.id === one.id)) : []
  // Results of an earlier text may still be shown, but Enter only takes one of the present text.
  const current = isCurrent ? shown[index] : undefined
  const what = nameOf(resource?.plural ?? '', isOne ? 'one' : 'many')

  function take(chosen: Chosen) {
    onChange(isOne ? [chosen] : [...value, chosen])
    setText('')
    setIndex(-1)
    // An open list would cover the fields below.
    setIsOpen(false)
  }
  useEffect(() => {
    if (!isAwaited || !isCurrent) return
    setIsAwaited(false)
    if (current) take(current)
  })
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') {
      setIsOpen(true)
      setIndex(Math.min(index + 1, shown.length - 1))
    } else if (event.key === 'ArrowUp') setIndex(Math.max(index - 1, 0))
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (current) take(current)
      else if (isOpen && !isCurrent) setIsAwaited(true)
    } else if (event.key === 'Escape' && isOpen) setIsOpen(false)
    else if (event.key === 'Backspace' && text === '' && value.length > 0) onChange(value.slice(0, -1))
    else return
    event.preventDefault()
  }

  return (
    <div className="mw-suggestions">
      <TextInputGroup validated={isInvalid ? 'error' : undefined}>
        <TextInputGroupMain
          inputId={id}
          aria-label={label ?? labelOf(field.key)}
          value={text}
          placeholder={value.length === 0 ? t('form.find', { what }) : ''}
          onChange={(_event, next) => {
            setText(next)
            setIndex(0)
            setIsOpen(true)
            setIsAwaited(false)
          }}
          onClick={() => setIsOpen(true)}
          onBlur={() => {
            setIsOpen(false)
            setIsAwaited(false)
          }}
          onKeyDown={onKeyDown}
          role="combobox"
          isExpanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${index}` : undefined}
          inputProps={{ 'aria-describedby': describedBy, 'aria-invalid': isInvalid || undefined, autoComplete: 'off' }}
        >
          {value.length > 0 && (
            <LabelGroup numLabels={20} aria-label={what}>
              {value.map((one) => (
                <Label
                  key={one.id}
                  variant="outline"
                  onClose={() => onChange(value.filter(({ id: other }) => other !== one.id))}
                  closeBtnAriaLabel={t('action.remove', { name: one.text })}
                >
                  <bdi>{one.text}</bdi>
                </Label>
              ))}
            </LabelGroup>
          )}
        </TextInputGroupMain>
        {value.length > 0 && (
          <TextInputGroupUtilities>
            <Button
              variant="plain"
              icon={<TimesIcon />}
              aria-label={`${t('action.clear')}: ${what}`}
              onClick={() => onChange([])}
            />
          </TextInputGroupUtilities>
        )}
      </TextInputGroup>
      {shown.length > 0 && (
        <div role="listbox" id={`${id}-list`} aria-label={what} className="mw-listbox">
          {shown.map((one, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field, which keeps the focus
            <div
              key={one.id}
              role="option"
              tabIndex={-1}
              id={`${id}-${place}`}
              aria-selected={one === current}
              className="mw-option"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(one)}
            >
              <bdi>{one.text}</bdi>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

interface Offered {
  readonly offered: readonly Chosen[]
  /** Whether the results belong to the present text. */
  readonly isCurrent: boolean
}

function useOffered(target: string, text: string, isOn: boolean): Offered {
  const resource = findResource(target)
  const list = resource?.operations.list?.path ?? ''
  const sought = useDeferredValue(text)
  const scope = scopeOf(useSearchParams()[0])
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['offered', list, sought, scope],
    enabled: isOn && resource !== undefined && !list.includes(':'),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => {
      const search = sought === '' ? undefined : `"${sought.replace(/["\\]/g, '\\$&')}"`
      const { body } = await sendRequest(list, { query: { search, per_page: OFFERED, referable: true }, signal })
      return recordsOf(body.results).map((record) => ({
        id: Number(record.id),
        text: textOf(record, resource ?? { label: 'name' }),
      }))
    },
  })
  return { offered: data ?? [], isCurrent: data !== undefined && !isPlaceholderData && sought === text }
}
