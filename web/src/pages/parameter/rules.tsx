import { Button, Checkbox, TextInput } from '@patternfly/react-core'
import { useState } from 'react'
import { Panel } from '../../shell/panel.tsx'
import { Grip, useReordering } from '../../shell/reordering.tsx'
import { labelOf, t } from '../../words/words.ts'
import { Preview } from './preview.tsx'
import { type Rules as RulesState, SWITCHES } from './rules-state.ts'

interface RulesProps {
  readonly rules: RulesState
}

/** Edits the order of matchers, and whether one wins or all are merged. */
export function Rules({ rules }: RulesProps) {
  const { mayEdit, preview, typed, lines, isChanged, type, order, move, look } = rules
  const [added, setAdded] = useState('')
  const reordering = useReordering(move)
  const title = t('matcher.rules')
  return (
    <Panel title={title}>
      <p>{t('matcher.rules.text')}</p>
      <ol className="mw-order">
        {lines.map((line, place) => (
          <li key={line} {...(mayEdit && reordering.row(place))}>
            {mayEdit && (
              <Grip name={line} place={place} count={lines.length} move={move} grip={reordering.grip(place)} />
            )}
            <bdi className="mw-order-line">{line}</bdi>{' '}
            {mayEdit && (
              <>
                <Button
                  variant="link"
                  isInline
                  isAriaDisabled={place === 0}
                  onClick={() => place > 0 && move(place, place - 1)}
                >
                  {t('columns.up', { name: line })}
                </Button>{' '}
                <Button
                  variant="link"
                  isInline
                  isAriaDisabled={place === lines.length - 1}
                  onClick={() => place < lines.length - 1 && move(place, place + 1)}
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
          isAriaDisabled={preview.isBusy || !isChanged}
          onClick={() => isChanged && look()}
        >
          {t('matcher.look')}
        </Button>
      )}
      <Preview preview={preview} />
    </Panel>
  )
}
