import { Button } from '@patternfly/react-core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useDraft, useKept } from '../../shell/drafts.ts'
import { Loading } from '../../shell/loading.tsx'
import { notify } from '../../shell/notices.tsx'
import { ProblemAlert, wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { Help } from '../form/labelled.tsx'
import { bodyOfUndo, useUndo } from '../form/undo.ts'
import { type Body, bodyOf, type FormValue, isRows, valuesOf } from '../form/values.ts'
import { Widget } from '../form/widget.tsx'
import { type ApiRecord, apiPathOf, textOf, type Where } from '../resources.ts'

interface SettingEditorProps {
  readonly id: string
  readonly where: Where
  readonly close: () => void
}

interface Stored {
  readonly record: ApiRecord
  readonly etag: string | null
}

/** Edits a setting in its row, from the value that it has when the editor opens. */
export function SettingEditor({ id, where, close }: SettingEditorProps) {
  const path = apiPathOf(where, id, 'show')
  const { data, error, refetch } = useQuery({
    queryKey: ['to edit', path],
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: () => loadStored(path),
  })
  if (error) return <ProblemAlert error={error} retry={() => void refetch()} />
  return data ? <Editor first={data} where={where} close={close} /> : <Loading />
}

async function loadStored(path: string): Promise<Stored> {
  const { body, etag } = await sendRequest(path)
  return { record: body, etag }
}

/** Names the draft of a setting, which opens its editor again after a reload. */
export function draftNameOf({ id }: ApiRecord): string {
  return `setting-${id}`
}

/** By what each type of a setting is edited. */
const WIDGETS: Readonly<Record<string, FormField['widget']>> = { boolean: 'switch', integer: 'number', array: 'values' }

/** The texts of several lines. */
const LONG: readonly unknown[] = ['login_text']

/** Describes the value of a setting as the field of a form. */
function fieldOf({ name, settings_type: type, encrypted }: ApiRecord): FormField {
  const widget = encrypted === true ? 'secret' : LONG.includes(name) ? 'long' : (WIDGETS[String(type)] ?? 'text')
  return { key: 'value', doc: '', required: false, nullable: false, widget }
}

interface EditorProps extends Pick<SettingEditorProps, 'where' | 'close'> {
  readonly first: Stored
}

function Editor({ first, where, close }: EditorProps) {
  const form = useRef<HTMLFormElement>(null)
  const { id, record, field, value, messages, isBusy, isChanged, change, save, reset, leave } = useSetting(
    first,
    where,
    close,
  )
  const isDefault = JSON.stringify(record.value) === JSON.stringify(record.default)
  const defaultHint = t('setting.default', { value: printValue(record.default) })
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), [])
  return (
    <form
      ref={form}
      className="mw-setting"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={({ key }) => key === 'Escape' && leave()}
    >
      <Widget
        field={field}
        id={id}
        value={isRows(value) ? '' : value} // no setting has rows
        messages={messages}
        isNew={false}
        type={undefined}
        name={textOf(record, where.resource)}
        onChange={change}
      />
      <Help
        id={id}
        messages={messages}
        hints={[
          ...(field.widget === 'values' ? [t('form.values')] : []),
          ...(field.widget === 'secret' ? [] : [defaultHint]),
        ]}
      />
      <div className="mw-actions">
        <Button type="submit" size="sm" isLoading={isBusy} isDisabled={isBusy || !isChanged}>
          {t('action.save')}
        </Button>
        {!isDefault && (
          <Button variant="secondary" size="sm" isDisabled={isBusy} onClick={reset}>
            {t('setting.reset')}
          </Button>
        )}
        <Button variant="link" size="sm" onClick={leave}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** Keeps the stored setting, the typed value and the messages of the service. */
function useSetting(first: Stored, where: Where, close: () => void) {
  const [stored, setStored] = useState(first)
  const { record } = stored
  const field = fieldOf(record)
  const [before, defaults] = [valuesOf([field], record), valuesOf([field], { value: record.default })]
  const isSecret = field.widget === 'secret'
  const id = draftNameOf(record)
  const draft = useDraft(id)
  const [value, setValue] = useKept<FormValue>(id, before.value ?? '', isSecret)
  const [messages, setMessages] = useState<readonly string[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const store = useStoring(where)

  async function send(next: FormValue): Promise<void> {
    const { body, mistakes } = bodyOf([field], { value: next }, isSecret ? {} : before)
    if (mistakes.value) return setMessages(mistakes.value)
    setIsBusy(true)
    try {
      await store(stored, body, bodyOfUndo([field], { before, after: { value: next } }))
      leave()
    } catch (error) {
      setIsBusy(false)
      // Of two who change a setting, the second one sees the value of the first before it is replaced.
      const isTheirs = error instanceof ApiError && error.problem === 'changed'
      const path = apiPathOf(where, String(record.id), 'show')
      const theirs = isTheirs ? await loadStored(path).catch(() => null) : null
      if (theirs) setStored(theirs)
      setMessages(theirs ? [t('setting.changed', { value: printValue(theirs.record.value) })] : describeRefusal(error))
    }
  }
  function leave(): void {
    draft.drop()
    close()
  }
  function change(next: FormValue): void {
    setValue(next)
    setMessages([])
  }
  return {
    ...{ id, record, field, value, messages, isBusy, change, leave },
    isChanged: JSON.stringify(value) !== JSON.stringify(before.value),
    save: () => void send(value),
    reset: () => void send(defaults.value ?? ''),
  }
}

/** Yields a function that stores the value of a setting and offers to undo it; a secret cannot be put back. */
function useStoring(where: Where) {
  const queries = useQueryClient()
  const offerUndo = useUndo(where)
  const { word } = where.resource
  return async ({ record, etag }: Stored, body: Body, undone: Body | null): Promise<void> => {
    const id = String(record.id)
    const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag }
    const saved = await sendRequest(apiPathOf(where, id, 'update'), { method: 'PUT', body: { [word]: body }, headers })
    await queries.invalidateQueries()
    const text = t('record.saved', { name: textOf(record, where.resource) })
    if (undone === null) notify('success', text)
    else offerUndo(text, { id, etag: saved.etag, values: undone })
  }
}

/** Says why a value was refused. */
function describeRefusal(error: unknown): readonly string[] {
  // The service refuses a value that it cannot read with the status of a missing record.
  if (error instanceof ApiError && error.problem === 'missing') return [error.message]
  const own = error instanceof ApiError ? error.fields.value : undefined
  const { title, text } = wordsOfProblem(error)
  return own ?? [title, text].filter((one) => one !== '')
}

/** Prints a value in a sentence. */
function printValue(value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no')
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? t('record.empty') : text
}
