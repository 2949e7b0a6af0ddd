import { ModalBody } from '@patternfly/react-core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { type Caller, may, useCaller } from '../api/session.ts'
import { LISTS } from '../app/pages.ts'
import { findResource, listResources } from '../resources/resources.ts'
import { nameOf, t } from '../words/words.ts'
import { useGo } from './link.tsx'
import { entriesOf, entryOfDashboard, GROUPS } from './navigation.tsx'
import { listButtons, type Offer, useOffers } from './offers.ts'
import { useRecordChoices } from './palette-records.ts'
import { Modal } from './patternfly-parts.tsx'
import { SearchInput } from './search-input.tsx'

interface Choice {
  readonly title: string
  readonly kind: string
  /** The address to go to, or the action. */
  readonly to: string | (() => void)
}

const MOST_PAGES = 8
const MOST_OFFERS = 20

interface PaletteProps {
  readonly close: () => void
}

/** Goes to any page and any record by keyboard. */
export function Palette({ close }: PaletteProps) {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const caller = useCaller()
  const go = useGo()
  const id = useId()
  const found = useRecordChoices(text.trim(), caller)
  const [buttons, setButtons] = useState<readonly Offer[]>([])
  useEffect(() => setButtons(listButtons()), [])
  const choices: readonly Choice[] = [
    ...listOfferedChoices(text, [...useOffers(), ...buttons]),
    ...listPageChoices(text, caller),
    ...found.choices,
  ]
  const current = Math.min(index, choices.length - 1)

  function open(choice: Choice | undefined) {
    if (!choice) return
    close()
    if (typeof choice.to === 'string') go(choice.to)
    else choice.to()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') open(choices[current])
    else if (event.key === 'ArrowDown') setIndex(Math.min(current + 1, choices.length - 1))
    else if (event.key === 'ArrowUp') setIndex(Math.max(current - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <Modal
      isOpen
      variant="medium"
      position="top"
      onClose={close}
      aria-label={t('palette.open')}
      elementToFocus={`[name="${id}"]`}
    >
      <ModalBody>
        <SearchInput
          placeholder={t('palette.placeholder')}
          aria-label={t('palette.placeholder')}
          value={text}
          onChange={(value) => {
            setText(value)
            setIndex(0)
          }}
          onClear={() => setText('')}
          onKeyDown={onKeyDown}
          name={id}
        />
        <p className="mw-hint">{t('palette.hint')}</p>
        <p role="status">
          {found.isBusy && t('palette.busy')}
          {!found.isBusy && choices.length === 0 && t('palette.none', { text })}
        </p>
        <ul className="mw-choices" aria-label={t('palette.open')}>
          {choices.map((choice, place) => (
            <li key={`${choice.kind} ${choice.title} ${typeof choice.to === 'string' ? choice.to : ''}`}>
              <button
                type="button"
                className={place === current ? 'mw-choice mw-current' : 'mw-choice'}
                aria-current={place === current}
                onClick={() => open(choice)}
              >
                <bdi>{choice.title}</bdi>
                <span className="mw-kind">{choice.kind}</span>
              </button>
            </li>
          ))}
        </ul>
      </ModalBody>
    </Modal>
  )
}

/** Lists the actions of this page that match the text. */
function listOfferedChoices(text: string, offers: readonly Offer[]): Choice[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return []
  const meant = new Map(
    offers.flatMap((one) => (one.title.toLocaleLowerCase().includes(wanted) ? [[one.title, one]] : [])),
  )
  const shown = [...meant.values()].slice(0, MOST_OFFERS)
  return shown.map(({ title, act }) => ({ title, to: act, kind: t('palette.here') }))
}

function listPageChoices(text: string, caller: Caller): Choice[] {
  const wanted = text.trim().toLocaleLowerCase()
  const pages = [entryOfDashboard(), ...GROUPS.flatMap((group) => entriesOf(group, caller))]
  const shown = [
    ...pages,
    { to: '/account', title: t('account.title') },
    { to: '/shortcuts', title: t('help.shortcuts') },
  ]
  // Lists in the navigation come first, in its order.
  const plurals = new Set([...Object.values(LISTS).flat(), ...listResources().map(({ plural }) => plural)])
  const creating = [...plurals].flatMap((plural): Choice[] => {
    const { within, operations: { create } = {} } = findResource(plural) ?? {}
    if (!create || within !== null || !may(caller, create.permissions)) return []
    const title = t('form.create', { what: nameOf(plural, 'one') })
    return [{ to: `/${plural}/new`, title, kind: t('palette.create') }]
  })
  const going = shown.map(({ to, title }) => ({ to, title, kind: t('palette.pages') }))
  const all = wanted === '' ? going : [...going, ...creating]
  return all.filter(({ title }) => title.toLocaleLowerCase().includes(wanted)).slice(0, MOST_PAGES)
}
