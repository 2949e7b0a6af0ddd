import { Button, Card, CardBody, CardTitle, Checkbox, TextInput } from '@patternfly/react-core'
import { useState } from 'react'
import { may, useCaller } from '../../api/session.ts'
import { labelOf, t } from '../../words/words.ts'
import { linesOf, type Parameter } from './parameter.ts'
import { Preview, usePreview } from './preview.tsx'

interface RulesProps {
  readonly parameter: Parameter
}

const SWITCHES = ['override', 'merge_overrides', 'merge_default', 'avoid_duplicates'] as const

/** In which order matchers are looked for, and whether one wins or all are merged. */
export function Rules({ parameter }: RulesProps) {
  const caller = useCaller()
  const [lines, setLines] = useState(() => linesOf(parameter))
  const [added, setAdded] = useState('')
  const [switches, setSwitches] = useState(() => SWITCHES.map((key) => parameter[key] === true))
  const preview = usePreview(() => undefined)
  const mayEdit = may(caller, ['edit_external_parameters', 'edit_configclasses'])
  const title = t('matcher.rules')
  const move = (place: number, by: -1 | 1) => {
    const next = [...lines]
    const [line = ''] = next.splice(place, 1)
    next.splice(place + by, 0, line)
    setLines(next)
  }
  const changed = {
    ...(lines.join('\n') !== linesOf(parameter).join('\n') && { override_value_order: lines.join('\n') }),
    ...Object.fromEntries(
      SWITCHES.flatMap((key, place) =>
        switches[place] === (parameter[key] === true) ? [] : [[key, switches[place]] as const],
      ),
    ),
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
                  <Button variant="link" isInline onClick={() => setLines(lines.filter((one) => one !== line))}>
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
              if (line !== '' && !lines.includes(line)) setLines([...lines, line])
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
          {SWITCHES.map((key, place) => (
            <Checkbox
              key={key}
              id={`rule-${key}`}
              label={labelOf(key)}
              isDisabled={!mayEdit}
              isChecked={switches[place] === true}
              onChange={(_event, is) => setSwitches(switches.with(place, is))}
            />
          ))}
        </div>
        {mayEdit && (
          <Button
            variant="secondary"
            className="mw-related"
            isAriaDisabled={preview.isBusy || Object.keys(changed).length === 0}
            onClick={() =>
              Object.keys(changed).length > 0 &&
              preview.look({
                path: `/api/smart_class_parameters/${parameter.id}`,
                method: 'PUT',
                body: { smart_class_parameter: changed },
                title,
              })
            }
          >
            {t('matcher.look')}
          </Button>
        )}
        <Preview preview={preview} />
      </CardBody>
    </Card>
  )
}
