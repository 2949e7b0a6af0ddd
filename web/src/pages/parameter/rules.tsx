import { Button, Card, CardBody, CardTitle, Checkbox, TextInput } from '@patternfly/react-core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { may, useCaller } from '../../api/session.ts'
import type { ApiRecord } from '../../resources/resources.ts'
import { labelOf, t } from '../../words/words.ts'
import { linesOf, type Parameter } from './parameter.ts'
import { Preview, usePreview } from './preview.tsx'

interface RulesProps {
  readonly parameter: Parameter
  /** Of the parameter as it is shown. */
  readonly etag: string | null
}

const SWITCHES = ['override', 'merge_overrides', 'merge_default', 'avoid_duplicates'] as const

// An alias, so that it counts as the values of a form.
type Typed = Readonly<Record<'override_value_order', string> & Record<(typeof SWITCHES)[number], boolean>>

/** What somebody has changed and not saved yet, and what it was when they began. */
interface Begun {
  readonly before: Typed
  readonly typed: Typed
  readonly etag: string | null
}

/** In which order matchers are looked for, and whether one wins or all are merged. */
export function Rules({ parameter, etag }: RulesProps) {
  const caller = useCaller()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [added, setAdded] = useState('')
  const queries = useQueryClient()
  const preview = usePreview(() => {
    // What is saved is shown until it has been read anew, and what has been typed since then stays.
    const forget = () => setBegun((now) => (now === begun ? null : now))
    void queries.invalidateQueries({ queryKey: ['record'] }).then(forget)
  })
  const mayEdit = may(caller, ['edit_external_parameters', 'edit_configclasses'])
  const title = t('matcher.rules')
  const shown = typedOf(parameter)
  const { before, typed } = begun ?? { before: shown, typed: shown }
  const lines = linesOf(typed)
  const changed = differenceOf(typed, before)
  const type = (more: Partial<Typed>) => {
    // What was looked at is not what stands there any more.
    preview.drop()
    const next = { ...typed, ...more }
    if (isSame(next, before)) setBegun(null)
    else setBegun({ etag, ...begun, before, typed: next })
  }
  const order = (next: readonly string[]) => type({ override_value_order: next.join('\n') })
  const move = (place: number, by: -1 | 1) => {
    const next = [...lines]
    const [line = ''] = next.splice(place, 1)
    next.splice(place + by, 0, line)
    order(next)
  }
  function look() {
    // Whatever else has changed in the parameter since then, such as its matchers, is shown already.
    const since = isSame(before, shown) ? etag : (begun?.etag ?? null)
    const take = () => {
      preview.drop()
      setBegun(null)
    }
    preview.look({
      path: `/api/smart_class_parameters/${parameter.id}`,
      method: 'PUT',
      body: { smart_class_parameter: changed },
      title,
      since: { etag: since, before, mine: typed, valuesOf, take },
    })
  }
  return (
    <Card component="section" aria-label={title}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        <p>{t('matcher.rules.text')}</p>
        <ol className="mw-order">
          {lines.map((line, place) => (
            <li key={line}>
              <bdi>{line}</bdi>{' '}
              {mayEdit && (
                <>
                  <Button
                    variant="link"
                    isInline
                    isAriaDisabled={place === 0}
                    onClick={() => place > 0 && move(place, -1)}
                  >
                    {t('columns.up', { name: line })}
                  </Button>{' '}
                  <Button
                    variant="link"
                    isInline
                    isAriaDisabled={place === lines.length - 1}
                    onClick={() => place < lines.length - 1 && move(place, 1)}
                  >
                    {t('columns.down', { name: line })}
                  </Button>{' '}
                  <Button variant="link" isInline onClick={() => order(lines.filter((one) => one !== line))}>
                    {t('action.remove', { name: line })}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ol>
        {mayEdit && (
          <form
            className="mw-states"
            onSubmit={(event) => {
              event.preventDefault()
              const line = added.replaceAll(' ', '')
              if (line !== '' && !lines.includes(line)) order([...lines, line])
              setAdded('')
            }}
          >
            <TextInput
              className="mw-scope"
              aria-label={t('matcher.line')}
              value={added}
              onChange={(_event, next) => setAdded(next)}
            />
            <Button type="submit" variant="secondary">
              {t('action.add')}
            </Button>
          </form>
        )}
        <div className="mw-related mw-checks">
          {SWITCHES.map((key) => (
            <Checkbox
              key={key}
              id={`rule-${key}`}
              label={labelOf(key)}
              isDisabled={!mayEdit}
              isChecked={typed[key]}
              onChange={(_event, is) => type({ [key]: is })}
            />
          ))}
        </div>
        {mayEdit && (
          <Button
            variant="secondary"
            className="mw-related"
            isAriaDisabled={preview.isBusy || Object.keys(changed).length === 0}
            onClick={() => Object.keys(changed).length > 0 && look()}
          >
            {t('matcher.look')}
          </Button>
        )}
        <Preview preview={preview} />
      </CardBody>
    </Card>
  )
}

function typedOf(parameter: Parameter): Typed {
  const is = (key: (typeof SWITCHES)[number]) => parameter[key] === true
  return {
    override_value_order: linesOf(parameter).join('\n'),
    override: is('override'),
    merge_overrides: is('merge_overrides'),
    merge_default: is('merge_default'),
    avoid_duplicates: is('avoid_duplicates'),
  }
}

function valuesOf(record: ApiRecord): Typed {
  return typedOf(record as unknown as Parameter) // what the path of a parameter answers with
}

function differenceOf(typed: Typed, before: Typed): Partial<Typed> {
  return Object.fromEntries(Object.entries(typed).filter(([key, value]) => value !== before[key as keyof Typed])) // its keys
}

function isSame(one: Typed, other: Typed): boolean {
  return Object.keys(differenceOf(one, other)).length === 0
}
