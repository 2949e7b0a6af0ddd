import { Checkbox, Form, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core'
import { useRef, useState } from 'react'
import { useCaller } from '../../api/session.ts'
import { useDraft, useKept } from '../../shell/drafts.ts'
import { formatNumber, labelOf, t, type Word } from '../../words/words.ts'
import type { ResourceFull } from '../description.ts'
import { Field } from '../form/field.tsx'
import type { FormValue } from '../form/values.ts'
import { type ApiRecord, apiPathOf, nameOfType, textOf, type Where } from '../resources.ts'
import { listKept, TAKEN_OVER } from '../taken.ts'
import { TakenOver, useGroup } from '../taken-over.tsx'
import type { Chosen } from './chosen.ts'
import { begin, type CommonField, changeOf, listCommonFields, type TypedField } from './common-field.ts'
import { CourseDialog } from './course-dialog.tsx'
import { useUndoOfMany } from './undo-many.ts'

interface ChangeDialogProps {
  readonly where: Where
  readonly full: ResourceFull
  readonly chosen: Chosen
  /** The field to begin with. */
  readonly first?: string | undefined
  readonly close: () => void
}

/** What is typed, as it survives a reload. */
interface Kept {
  readonly key: string
  readonly kind: string
  readonly value: FormValue
}

/** Sets one field of many records to one value, and shows the result for each. */
export function ChangeDialog({ where, full, chosen, first, close }: ChangeDialogProps) {
  const { resource } = where
  const fields = listCommonFields(resource, full, useCaller())
  const name = `change ${first ?? ''}`.trim()
  const [kept, keep] = useKept<Kept | null>(name, beginWith(fields, first))
  const draft = useDraft(name)
  const common = fields.find(({ field }) => field.key === kept?.key)
  const typed = kept && common ? { ...begin(common, kept.kind), value: kept.value } : null
  const change = typed && changeOf(typed)
  const isMove = where.resource.plural === 'hosts' && typed?.field.key === 'hostgroup_id'
  const group = useGroup(isMove && Array.isArray(typed?.value) ? typed.value[0]?.id : undefined)
  const [keeps, setKeeps] = useState(false)
  const undo = useUndoOfMany(where)
  // What each host had before, so that the change can be taken back.
  const had = useRef(new Map<number, ApiRecord>())
  const changed = useRef<ReadonlySet<number>>(new Set())
  const keysOf = ({ common: { field, kinds } }: TypedField) => [
    ...(kinds ? [kinds.key] : []),
    field.key,
    ...(isMove ? TAKEN_OVER : []),
  ]
  const buildBody = (record: ApiRecord) => {
    if (typed && typed.field.widget !== 'references')
      had.current.set(Number(record.id), Object.fromEntries(keysOf(typed).map((key) => [key, record[key] ?? null])))
    return { ...change?.body, ...(group && keeps && listKept(group, record)) }
  }
  return (
    <CourseDialog
      where={where}
      chosen={chosen}
      title={titleOf(chosen, where)}
      question={
        <>
          <Question
            fields={fields}
            typed={typed}
            onChange={(next) => keep(next && { key: next.common.field.key, kind: next.kind, value: next.value })}
          />
          {typed && change?.isReady === true && <Foreseen typed={typed} chosen={chosen} />}
          {group && <TakenOver group={group} hosts={chosen.first} count={chosen.count} />}
          {group && (
            <Checkbox
              id="change-keeps"
              label={t('move.keep')}
              isChecked={keeps}
              onChange={(_event, is) => setKeeps(is)}
            />
          )}
        </>
      }
      action={t('change.apply')}
      // What changes with the group is said before it does.
      isReady={change?.isReady === true && (group !== undefined || !isMove || change.isEmpty)}
      operationOf={(record) => ({
        method: 'PUT',
        path: apiPathOf(where, String(record.id), 'update'),
        body: { [resource.word]: buildBody(record) },
      })}
      isAlone={resource.operations.update?.alone === true}
      words={{ summary: (done, failed) => t('change.done', { done, failed }), done: t('change.changed') }}
      onDone={({ done }) => {
        changed.current = done
      }}
      close={() => {
        draft.drop()
        close()
        // Behind the open dialog nobody could reach the offer.
        undo(new Map([...had.current].filter(([id]) => changed.current.has(id))))
      }}
    />
  )
}

/** Yields the state to begin with: that of a field, where one is meant already. */
function beginWith(fields: readonly CommonField[], key: string | undefined): Kept | null {
  const common = fields.find(({ field }) => field.key === key)
  if (!common) return null
  const { kind, value } = begin(common)
  return { key: common.field.key, kind, value }
}

interface ForeseenProps {
  readonly typed: TypedField
  readonly chosen: Chosen
}

/** Says before a change how many of the records have the value already, and how many get another one. */
function Foreseen({ typed: { field, value }, chosen }: ForeseenProps) {
  if (field.widget === 'references' || field.widget === 'values') return null
  const wanted = Array.isArray(value) ? (value[0]?.id ?? null) : value === '' ? null : String(value)
  const findStored = ({ [field.key]: stored }: ApiRecord) =>
    stored === null || stored === undefined || stored === ''
      ? null
      : typeof wanted === 'number'
        ? stored
        : String(stored)
  const same = chosen.first.filter((record) => findStored(record) === wanted).length
  return (
    <p role="status">
      {t('change.foreseen', { count: formatNumber(chosen.first.length - same), same: formatNumber(same) })}{' '}
      {chosen.first.length < chosen.count && t('move.first', { count: formatNumber(chosen.first.length) })}
    </p>
  )
}

function titleOf({ count, first: [only] }: Chosen, { resource: one }: Where): string {
  if (count === 1 && only) return t('change.title.one', { name: textOf(only, one) })
  return t('change.title', { count: formatNumber(count) })
}

interface QuestionProps {
  readonly fields: readonly CommonField[]
  readonly typed: TypedField | null
  readonly onChange: (typed: TypedField | null) => void
}

/** Asks for the field and its value. */
function Question({ fields, typed, onChange }: QuestionProps) {
  const choose = (key: string) => {
    const common = fields.find(({ field }) => field.key === key)
    onChange(common ? begin(common) : null)
  }
  const kinds = typed?.common.kinds
  const hint = typed && hintOf(typed)
  return (
    <Form onSubmit={(event) => event.preventDefault()} noValidate>
      <FormGroup label={t('form.field')} fieldId="change-field">
        <FormSelect id="change-field" value={typed?.field.key ?? ''} onChange={(_event, key) => choose(key)}>
          <FormSelectOption value="" label={t('form.choose')} />
          {fields.map(({ field: { key } }) => (
            <FormSelectOption key={key} value={key} label={labelOf(key)} />
          ))}
        </FormSelect>
      </FormGroup>
      {typed && kinds && (
        <FormGroup label={labelOf(kinds.key)} fieldId="change-kind">
          <FormSelect
            id="change-kind"
            value={typed.kind}
            onChange={(_event, kind) => onChange(begin(typed.common, kind))}
          >
            {kinds.choices?.map((choice) => (
              <FormSelectOption key={choice} value={choice} label={nameOfType(choice)} />
            ))}
          </FormSelect>
        </FormGroup>
      )}
      {typed && (
        <Field
          key={`${typed.field.key} ${typed.kind}`}
          field={typed.field}
          value={typed.value}
          messages={{ [typed.field.key]: changeOf(typed).messages }}
          isNew={false}
          onChange={(value) => onChange({ ...typed, value })}
        />
      )}
      {hint && <p className="mw-hint">{t(hint)}</p>}
    </Form>
  )
}

function hintOf(typed: TypedField): Word | null {
  if (typed.field.widget === 'references') return 'change.replaces'
  const { isEmpty, isReady } = changeOf(typed)
  if (!isEmpty) return null
  return isReady ? 'change.empties' : 'change.needed'
}
