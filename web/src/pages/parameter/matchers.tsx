import { Button, Card, CardBody, CardTitle, Checkbox, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { type Answered, sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { may, useCaller } from '../../api/session.ts'
import { Help } from '../../resources/form/labelled.tsx'
import { typedTextOf } from '../../resources/form/values.ts'
import type { ApiRecord } from '../../resources/resources.ts'
import { useKept } from '../../shell/drafts.ts'
import { notify } from '../../shell/notices.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import { useMatches } from './match-choice.ts'
import { MatcherTable } from './matcher-table.tsx'
import type { Override, Parameter } from './parameter.ts'
import { Preview, usePreview } from './preview.tsx'
import type { Rules } from './rules-state.ts'
import { TypedValue } from './typed-value.tsx'

interface MatchersProps {
  readonly parameter: Parameter
  /** The order and merging rules as they are on this page, saved or not. */
  readonly rules: Rules
}

// A type alias, because an interface would not be assignable to the values of a form.
type Typed = Readonly<{ match: string; value: string; omit: boolean }>

/** A matcher as it was when its editing began. */
interface Begun {
  readonly override: Override
  readonly etag: string | null
}

/** The fields that show their own messages. */
const FIELDS = ['match', 'value']

const NOTHING: Typed = { match: '', value: '', omit: false }

/** The values in the form, and the matcher that they are for; null for a new one. */
interface Typing {
  readonly edited: Begun | null
  readonly typed: Typed
}

const NOT_TYPED: Typing = { edited: null, typed: NOTHING }

/** Lists the matchers of a parameter in order of precedence; every change is previewed before it is saved. */
export function Matchers({ parameter, rules }: MatchersProps) {
  const caller = useCaller()
  const [{ edited, typed }, setTyping] = useKept('matcher', NOT_TYPED, parameter['hidden_value?'])
  const first = useRef<HTMLInputElement>(null)
  const queries = useQueryClient()
  const begin = (next: Begun | null) => {
    setTyping({ edited: next, typed: next ? typedOf(next.override) : NOTHING })
  }
  const applyTyped = (more: Partial<Typed>) => {
    // The preview is out of date.
    preview.drop()
    setTyping({ edited, typed: { ...typed, ...more } })
  }
  const preview = usePreview(() => begin(null))
  const list = `/api/smart_class_parameters/${parameter.id}/override_values`
  const mayEdit = may(caller, ['edit_external_parameters'])
  const mayCreate = mayEdit || may(caller, ['create_external_parameters'])
  const count = parameter.override_values.length
  const type = String(parameter.parameter_type ?? '')
  const matches = useMatches(rules.lines, typed.match)
  const title = t('matcher.title')
  const { mutate: read } = useMutation({
    mutationFn: async ({ override }: ToRead): Promise<Begun> => {
      const { body, etag } = await sendRequest(`${list}/${override.id}`)
      if (isOther(body, override)) void queries.invalidateQueries({ queryKey: ['record'] })
      return { override: body, etag }
    },
    onSuccess: (begun, { go }) => go(begun),
    onError: (error) => {
      const words = wordsOfProblem(error)
      notify('danger', words.title, words.text)
    },
  })

  function look(event: FormEvent) {
    event.preventDefault()
    if (!edited) {
      const value = type === 'boolean' && typed.value === '' ? 'false' : typed.value // as the switch shows it
      const body = { override_value: { ...typed, value } }
      return preview.look({ path: list, method: 'POST', body, title: t('matcher.add', { match: typed.match }) })
    }
    const { override, etag } = edited
    const before = typedOf(override)
    const take = (theirs: Answered) => edit({ override: theirs.body, etag: theirs.etag })
    preview.look({
      path: `${list}/${override.id}`,
      method: 'PUT',
      body: { override_value: differenceOf(typed, before) },
      title: t('matcher.change', { match: override.match }),
      since: { etag, before, mine: typed, valuesOf, take },
    })
  }
  function edit(begun: Begun) {
    preview.drop()
    begin(begun)
    first.current?.focus()
  }
  function lookAtDeletion({ override, etag }: Begun) {
    preview.look({
      path: `${list}/${override.id}`,
      method: 'DELETE',
      title: t('matcher.delete', { match: override.match }),
      since: { etag, before: typedOf(override), mine: {}, valuesOf, take: preview.drop },
    })
  }
  return (
    <Card component="section" aria-label={title}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        {count === 0 && <p>{t('matcher.none')}</p>}
        <MatcherTable
          parameter={parameter}
          rules={rules}
          mayEdit={mayEdit}
          edit={(override) => read({ override, go: edit })}
          remove={(override) => read({ override, go: lookAtDeletion })}
        />
        {(edited ? mayEdit : mayCreate) && (
          <Form className="mw-form mw-related" onSubmit={look} noValidate>
            <Text
              id="match"
              label={t('host.match')}
              messages={messagesOf(preview.error, 'match')}
              hint={t('matcher.match.text')}
            >
              <TextInput
                ref={first}
                id="matcher-match"
                list="matcher-matches"
                autoComplete="off"
                aria-describedby="matcher-match-help"
                value={typed.match}
                onChange={(_event, match) => applyTyped({ match })}
              />
              <datalist id="matcher-matches">
                {matches.map((match) => (
                  <option key={match} value={match} />
                ))}
              </datalist>
            </Text>
            <Text id="value" label={t('host.value')} messages={messagesOf(preview.error, 'value')} hint="">
              <TypedValue
                key={edited?.override.id}
                id="matcher-value"
                label={t('host.value')}
                type={type}
                messages={messagesOf(preview.error, 'value')}
                isDisabled={typed.omit}
                value={typed.value}
                onChange={(value) => applyTyped({ value })}
              />
            </Text>
            <Checkbox
              id="matcher-omit"
              label={t('matcher.omit')}
              isChecked={typed.omit}
              onChange={(_event, omit) => applyTyped({ omit })}
            />
            <div>
              <Button type="submit" variant="secondary" isDisabled={preview.isBusy}>
                {t('matcher.look')}
              </Button>
              {edited && (
                <Button
                  variant="link"
                  onClick={() => {
                    preview.drop()
                    begin(null)
                  }}
                >
                  {t('action.cancel')}
                </Button>
              )}
            </div>
          </Form>
        )}
        {rules.isChanged && count > 1 && <p className="mw-hint">{t('matcher.order.unsaved')}</p>}
        <Preview preview={preview} fields={FIELDS} />
      </CardBody>
    </Card>
  )
}

/** A matcher whose present state is loaded when its editing begins. */
interface ToRead {
  readonly override: Override
  readonly go: (begun: Begun) => void
}

function valuesOf(record: ApiRecord): Typed {
  return typedOf(record as unknown as Override) // the path of a matcher answers with one
}

function typedOf({ match, value, omit }: Override): Typed {
  return { match, value: typedTextOf(value), omit }
}

function isOther(one: Override, other: Override): boolean {
  return JSON.stringify(typedOf(one)) !== JSON.stringify(typedOf(other))
}

/** Yields what changed; a masked value that was not edited is not sent. */
function differenceOf(typed: Typed, before: Typed): Partial<Typed> {
  return {
    ...(typed.match !== before.match && { match: typed.match }),
    ...(typed.value !== before.value && { value: typed.value }),
    ...(typed.omit !== before.omit && { omit: typed.omit }),
  }
}

function messagesOf(error: unknown, field: string): readonly string[] {
  return error instanceof ApiError ? (error.fields[field] ?? []) : []
}

interface TextProps {
  readonly id: string
  readonly label: string
  readonly messages: readonly string[]
  readonly hint: string
  readonly children: ReactNode
}

function Text({ id, label, messages, hint, children }: TextProps) {
  return (
    <FormGroup label={label} fieldId={`matcher-${id}`}>
      {children}
      <Help id={`matcher-${id}`} messages={messages} hints={hint === '' ? [] : [hint]} />
    </FormGroup>
  )
}
