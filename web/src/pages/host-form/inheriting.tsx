import { Button, FormGroup } from '@patternfly/react-core'
import { useState } from 'react'
import type { FrameProps } from '../../resources/form/parts.ts'
import type { FormValue } from '../../resources/form/values.ts'
import type { ApiRecord } from '../../resources/resources.ts'
import { nameIn } from '../../resources/taken.ts'
import { labelOf, t } from '../../words/words.ts'
import { Owner, useChain } from '../host/origins.tsx'
import { From } from './from.tsx'
import { toChosenId } from './to-chosen-id.ts'

/**
 * Shows a field that a host can inherit with the value of its host group. An inherited value is only shown, until somebody
 * sets another one.
 */
export function Inheriting(props: FrameProps) {
  const { field, value, values, isNew, isRefused, onChange, children } = props
  const groups = useChain('hostgroups', toChosenId(values.hostgroup_id))
  const [isSet, setIsSet] = useState(false)
  const given = findGiven(groups ?? [], field.key)
  // Whoever has begun to choose goes on, also when the group has been loaded by then.
  // biome-ignore lint/a11y/noStaticElementInteractions: this only notes that the field inside has the focus
  if (!given) return <div onFocus={() => setIsSet(true)}>{children}</div>
  const isInherited = isSame(value, given.value) || (isNew && isEmpty(value))
  const takeGiven = () => {
    setIsSet(false)
    onChange(isNew ? toEmpty(value) : given.value)
  }
  if (isInherited && !isSet && !isRefused)
    return (
      <FormGroup role="group" label={labelOf(field.key)} fieldId={`inherited-${field.key}`} data-field={field.key}>
        <div className="mw-inherited">
          <bdi>{given.text}</bdi>
          <From group={given.giver} />
          <SetHere fieldKey={field.key} act={() => setIsSet(true)} />
        </div>
      </FormGroup>
    )
  return (
    <div>
      {children}
      <div className="mw-inherited">
        <span>
          <Owner plural="hostgroups" record={given.giver} />: <bdi>{given.text}</bdi>
        </span>
        <Button variant="link" isInline aria-label={`${t('inherit.again')}: ${labelOf(field.key)}`} onClick={takeGiven}>
          {t('inherit.again')}
        </Button>
      </div>
    </div>
  )
}

interface SetHereProps {
  readonly fieldKey: string
  readonly act: () => void
}

/** Opens the field and puts the focus into it. */
function SetHere({ fieldKey, act }: SetHereProps) {
  return (
    <Button
      variant="link"
      isInline
      aria-label={`${t('inherit.set')}: ${labelOf(fieldKey)}`}
      onClick={() => {
        act()
        requestAnimationFrame(() => document.getElementById(`field-${fieldKey}`)?.focus())
      }}
    >
      {t('inherit.set')}
    </Button>
  )
}

interface Given {
  readonly value: FormValue
  readonly text: string
  /** The group that the value is set in. */
  readonly giver: ApiRecord
}

/** Finds the value that a group passes on, as the form holds it: its own, or that of the nearest group above it. */
function findGiven(groups: readonly ApiRecord[], key: string): Given | null {
  const [own] = groups
  if (!own) return null
  const stored = [own[key], own[`inherited_${key}`]].find((value) => !isBlank(value))
  if (stored === undefined) return null
  const text = nameIn(own, key) ?? String(stored)
  const giver = groups.find((group) => group[key] === stored) ?? own
  return { giver, text, value: typeof stored === 'number' ? [{ id: stored, text }] : String(stored) }
}

function isSame(one: FormValue, other: FormValue): boolean {
  return Array.isArray(one) && Array.isArray(other) ? one[0]?.id === other[0]?.id : one === other
}

function isEmpty(value: FormValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

function toEmpty(value: FormValue): FormValue {
  return typeof value === 'string' ? '' : []
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
