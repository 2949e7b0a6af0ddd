import { ActionGroup, Button, Form, PageSection } from '@patternfly/react-core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, Fragment, Suspense, useEffect, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { mayUse } from '../../api/allowed.ts'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { scopeOf } from '../../api/scope.ts'
import { useCaller } from '../../api/session.ts'
import { useDraft } from '../../shell/drafts.ts'
import { Failed } from '../../shell/failed.tsx'
import { useGo } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { notify } from '../../shell/notices.tsx'
import { useOffer } from '../../shell/offers.ts'
import { Alert } from '../../shell/patternfly.tsx'
import { Problem, Refused } from '../../shell/problem.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { t } from '../../words/words.ts'
import type { FormField, ResourceFull } from '../description.ts'
import { type ApiRecord, apiPathOf, loadResource, textOf, type Where, whereOf } from '../resources.ts'
import { BESIDES } from './besides.ts'
import { Changed } from './changed.tsx'
import { draftOf, type Kept, readDraft } from './draft.ts'
import { Field } from './field.tsx'
import { Guard } from './guard.tsx'
import { FormHeading } from './heading.tsx'
import { useInitialValues } from './initial-values.ts'
import { placeMessages, type RefusedItem } from './messages.ts'
import { Closed, useOpenFields } from './open-fields.tsx'
import type { BesideProps, FormParts, FrameProps } from './parts.ts'
import { Refusal } from './refusal.tsx'
import { Contents, divideFields, SectionOf } from './sections.tsx'
import { bodyOfUndo, useUndo } from './undo.ts'
import { bodyOf, type FormValue, type FormValues, type Messages, valuesOf, withChange, withTarget } from './values.ts'

interface FormPageProps extends FormParts {
  /** The resource, where the address does not name it. */
  readonly plural?: string
}

/** The form of any resource, for a new record or an existing one. */
export function FormPage({ plural, ...parts }: FormPageProps) {
  const parameters = useParams()
  const where = whereOf(plural === undefined ? parameters : { resource: plural })
  const { id } = parameters
  const operation = id === undefined ? where?.resource.operations.create : where?.resource.operations.update
  const caller = useCaller()
  if (!where || !operation) return <Failed isUnknown />
  if (!mayUse(caller, operation, where, id ?? null))
    return (
      <>
        <FormHeading where={where} id={id ?? null} />
        <Refused permissions={operation.permissions} />
      </>
    )
  return <Loaded key={`${where.home}/${id ?? 'new'}`} where={where} id={id ?? null} {...parts} />
}

interface LoadedProps extends FormParts {
  readonly where: Where
  readonly id: string | null
}

interface Stored {
  readonly record: ApiRecord
  readonly etag: string | null
}

function Loaded({ where, id, ...parts }: LoadedProps) {
  const [parameters] = useSearchParams()
  const path = id === null ? null : apiPathOf(where, id, 'show')
  const { data: full } = useSuspenseQuery({
    queryKey: ['resource', where.resource.plural],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => loadResource(where.resource.plural),
  })
  const { data, error, refetch } = useQuery({
    queryKey: ['to edit', path, scopeOf(parameters)],
    // A form must not change while it is being edited.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled: path !== null,
    queryFn: () => load(path ?? ''),
  })
  const initial = useInitialValues(where, id === null ? full.create : [])
  const isReady = initial.data !== undefined || !initial.isNeeded
  const given = { ...initial.data, ...parts.given }
  if (isReady && (data || path === null))
    return <FormOf where={where} id={id} full={full} stored={data ?? null} {...parts} given={given} />
  // A query that this form does not need may have failed for another one.
  const needed = [{ error, refetch }, ...(initial.isNeeded ? [initial] : [])]
  const [failed] = needed.filter((answer) => answer.error)
  return (
    <>
      <FormHeading where={where} id={id} />
      {failed ? <Problem error={failed.error} retry={() => void failed.refetch()} /> : <Loading />}
    </>
  )
}

async function load(path: string): Promise<Stored> {
  const { body, etag } = await sendRequest(path)
  return { record: body, etag }
}

interface FormOfProps extends LoadedProps {
  readonly full: ResourceFull
  readonly stored: Stored | null
}

function FormOf({ where, id, full, stored: first, sections = [], given = {}, ...parts }: FormOfProps) {
  const { Frame = Plain, widgets = {}, notes = {}, sentWith = {}, copied, hasContents = false, Sections } = parts
  const { resource, home, list } = where
  const Beside = parts.Beside ?? BESIDES[resource.plural]
  const operation = resource.operations[id === null ? 'create' : 'update']
  const { open: fields, closed } = useOpenFields(id === null ? full.create : full.update, operation)
  const [before, setBefore] = useState(() => valuesOf(fields, first?.record ?? null))
  const draft = useDraft('form')
  const [kept, setKept] = useState(() => readDraft(fields, draft.find()))
  const initial = id === null ? { ...before, ...givenOf(fields, given), ...copiedOf(fields, copied) } : before
  const offerUndo = useUndo(where)
  const [values, setValues] = useState<FormValues>({ ...initial, ...kept?.values })
  // The tag from the draft detects changes by others since something was typed.
  const [stored, setStored] = useState(first && kept ? { ...first, etag: kept.etag } : first)
  const [messages, setMessages] = useState<Messages>({})
  const [others, setOthers] = useState<Messages>({})
  const [error, setError] = useState<unknown>(null)
  const [theirs, setTheirs] = useState<Stored | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const hasLeft = useRef(false)
  const form = useRef<HTMLDivElement>(null)
  const queries = useQueryClient()
  const go = useGo()
  const isDirty = JSON.stringify(values) !== JSON.stringify(initial)
  const name = stored ? textOf(stored.record, resource) : ''
  const back = id === null ? home : `${home}/${encodeURIComponent(id)}`
  useShortcut('save', () => void save(stored?.etag ?? null))
  useOffer(t('action.save'), () => void save(stored?.etag ?? null))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept follows what is typed
  useEffect(() => {
    if (hasLeft.current) return
    const typed = draftOf(fields, values, initial)
    if (Object.keys(typed).length === 0) draft.drop()
    else draft.keep({ values: typed, etag: stored?.etag ?? null } satisfies Kept)
  }, [values, stored])

  useEffect(() => {
    if (error !== null) focusFirst(form.current)
  }, [error])

  async function save(etag: string | null) {
    if (isBusy) return
    // Given values are always sent: left out, they would get the defaults of the API.
    const isChanged = (key: string) => JSON.stringify(values[key]) !== JSON.stringify(before[key])
    const along = Object.entries(sentWith).flatMap(([key, others]) => (id !== null && isChanged(key) ? others : []))
    const isKnown = (key: string) => !along.includes(key) && (id !== null || given[key] === undefined)
    const known = Object.entries(before).filter(([key]) => isKnown(key))
    const { body, mistakes } = bodyOf(fields, values, Object.fromEntries(known))
    if (Object.keys(mistakes).length > 0) return refuse(mistakes, null)
    setIsBusy(true)
    try {
      const options = { body: { [resource.word]: body }, ...(etag !== null && { headers: { 'if-match': etag } }) }
      const saved =
        id === null
          ? await sendRequest(list, { method: 'POST', ...options })
          : await sendRequest(apiPathOf(where, id, 'update'), { method: 'PUT', ...options })
      hasLeft.current = true
      draft.drop()
      await queries.invalidateQueries({ refetchType: 'none' })
      const record: ApiRecord = saved.body ?? stored?.record ?? {}
      const text = t('record.saved', { name: textOf(record, resource) })
      const undone = id === null ? null : bodyOfUndo(fields, { before, after: values })
      if (undone === null) notify('success', text)
      else offerUndo(text, { id: String(record.id ?? id), etag: saved.etag, values: undone })
      const segment = resource.plural === 'hosts' ? record.name : record.id
      go(segment === undefined ? home : `${home}/${encodeURIComponent(String(segment))}`)
    } catch (caught) {
      setIsBusy(false)
      if (caught instanceof ApiError && caught.problem === 'changed' && id !== null) {
        setTheirs(await load(apiPathOf(where, id, 'show')).catch(() => null))
      }
      refuse(caught instanceof ApiError ? caught.fields : {}, caught)
    }
  }
  function refuse(found: Messages, caught: unknown) {
    const item: RefusedItem = caught instanceof ApiError ? caught.item : {}
    const said = placeMessages(fields, values, { found, item })
    setMessages(said.placed)
    setOthers(said.others)
    setError(caught ?? new ApiError({ status: 422, message: '', fields: found }))
  }
  function takeTheirs() {
    if (!theirs) return
    const next = valuesOf(fields, theirs.record)
    setStored(theirs)
    setBefore(next)
    setValues(next)
    setTheirs(null)
    setError(null)
    setMessages({})
  }
  function giveUp() {
    setValues(initial)
    setStored(first)
    setKept(null)
    setMessages({})
    setError(null)
  }
  function change(field: FormField, value: FormValue, outdated: readonly string[]) {
    setValues((all) => withChange(fields, all, field, value))
    setMessages((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !outdated.includes(key))))
  }

  const type = typeOf(values, stored?.record ?? {})
  const present = (field: FormField) => {
    const Note = notes[field.key]
    const value = values[field.key] ?? ''
    return (
      <Fragment key={field.key}>
        <Frame
          field={field}
          value={value}
          values={values}
          isNew={id === null}
          isRefused={messages[field.key] !== undefined}
          onChange={(next) => change(field, next, [field.key])}
        >
          <Field
            field={withTarget(field, values)}
            value={value}
            messages={messages}
            isNew={id === null}
            type={type}
            Hand={widgets[field.key]}
            onChange={(next, outdated) => change(field, next, outdated)}
          />
        </Frame>
        {Note && <Note value={value} record={stored?.record ?? null} />}
      </Fragment>
    )
  }
  const divided = divideFields(fields, sections)
  const beside: BesideProps = {
    id,
    record: stored?.record ?? null,
    values,
    ...bodyOf(fields, values, before),
    refuse: (caught) => refuse(caught instanceof ApiError ? caught.fields : {}, caught),
  }
  return (
    <>
      <FormHeading where={where} id={id} name={name} />
      <PageSection>
        <div className={hasContents ? 'mw-with-contents' : Beside ? 'mw-beside' : undefined}>
          {hasContents && <Contents parts={divided} messages={messages} />}
          <div ref={form} className="mw-form">
            {kept && (
              <Alert
                variant="info"
                isInline
                title={t('form.kept')}
                actionLinks={
                  <Button variant="secondary" onClick={giveUp}>
                    {t('form.discard')}
                  </Button>
                }
              >
                {fields.some(({ widget }) => widget === 'secret') && t('form.kept.secrets')}
              </Alert>
            )}
            {theirs ? (
              <Changed
                fields={fields}
                before={before}
                mine={values}
                theirs={valuesOf(fields, theirs.record)}
                overwrite={() => {
                  setTheirs(null)
                  setError(null)
                  setStored(theirs)
                  void save(theirs.etag)
                }}
                take={takeTheirs}
              />
            ) : (
              error !== null && (
                <Refusal
                  error={error}
                  messages={messages}
                  others={others}
                  retry={() => void save(stored?.etag ?? null)}
                />
              )
            )}
            <Form
              noValidate
              onSubmit={(event: FormEvent) => {
                event.preventDefault()
                void save(stored?.etag ?? null)
              }}
            >
              {Sections ? (
                <Sections {...beside} parts={divided} messages={messages} present={present} />
              ) : sections.length === 0 ? (
                fields.map(present)
              ) : (
                divided.map((part) => (
                  <SectionOf key={part.title} title={part.title}>
                    {part.fields.map(present)}
                  </SectionOf>
                ))
              )}
              {closed.length > 0 && <Closed fields={closed} permissions={operation?.permissions ?? []} />}
              <ActionGroup className="mw-form-end">
                <Button
                  type="submit"
                  isLoading={isBusy}
                  isDisabled={isBusy}
                  aria-keyshortcuts="Control+Enter Meta+Enter"
                >
                  {t('action.save')}
                </Button>
                <Button variant="link" onClick={() => go(back)}>
                  {t('action.cancel')}
                </Button>
              </ActionGroup>
            </Form>
          </div>
          {Beside && (
            <Suspense>
              <Beside {...beside} />
            </Suspense>
          )}
        </div>
      </PageSection>
      <Guard
        isDirty={() => isDirty && !hasLeft.current}
        isOn={isDirty}
        onLeave={() => {
          hasLeft.current = true
          draft.drop()
        }}
      />
    </>
  )
}

/** Shows a field with nothing around it. */
function Plain({ children }: FrameProps) {
  return children
}

/** Yields the declared type of a parameter's or setting's value. */
function typeOf(values: FormValues, record: ApiRecord): string | undefined {
  return [values.parameter_type, record.parameter_type, record.settings_type].find((one) => typeof one === 'string')
}

/** Yields the values that a new record takes from another one. */
function copiedOf(fields: readonly FormField[], copied: FormParts['copied']): FormValues {
  if (!copied) return {}
  return valuesOf(
    fields.filter(({ key }) => !copied.without.has(key)),
    copied.record,
  )
}

/** Yields the given values only, so that all other fields have their defaults. */
function givenOf(fields: readonly FormField[], given: ApiRecord): FormValues {
  return valuesOf(
    fields.filter(({ key }) => given[key] !== undefined),
    given,
  )
}

function focusFirst(form: HTMLElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid=true]')
  invalid?.focus()
}
