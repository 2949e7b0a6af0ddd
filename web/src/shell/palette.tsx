import { Modal, ModalBody, SearchInput } from '@patternfly/react-core'
import { useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { request } from '../api/client.ts'
import { type Caller, may, useCaller } from '../api/session.ts'
import { LISTS } from '../app/pages.ts'
import { findResource, pathOfRecord, recordsOf, textOf } from '../resources/resources.ts'
import { nameOf, t } from '../words/words.ts'
import { useGo } from './link.tsx'
import { entriesOf, GROUPS } from './navigation.tsx'

interface Choice {
  readonly to: string
  readonly title: string
  readonly kind: string
}

/** Records of these kinds are looked for while somebody types: more would keep the service busy for nothing. */
const SEARCHED = [
  'hosts',
  'hostgroups',
  'configclasses',
  'provisioning_templates',
  'activation_keys',
  'users',
  'subnets',
  'domains',
]
const MOST_PAGES = 8

interface PaletteProps {
  readonly close: () => void
}

/** Goes to any page and any record from anywhere, by keyboard. */
export function Palette({ close }: PaletteProps) {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const caller = useCaller()
  const go = useGo()
  const id = useId()
  const choices = [...pageChoices(text, caller), ...useRecordChoices(useDeferredValue(text.trim()), caller)]
  const current = Math.min(index, choices.length - 1)

  function open(choice: Choice | undefined) {
    if (!choice) return
    close()
    go(choice.to)
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
          onChange={(_event, value) => {
            setText(value)
            setIndex(0)
          }}
          onClear={() => setText('')}
          resetButtonLabel={t('action.clear')}
          onKeyDown={onKeyDown}
          name={id}
        />
        <p className="mw-hint">{t('palette.hint')}</p>
        {choices.length === 0 && <p role="status">{t('palette.none', { text })}</p>}
        <ul className="mw-choices" aria-label={t('palette.open')}>
          {choices.map((choice, place) => (
            <li key={`${choice.kind} ${choice.to}`}>
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

function pageChoices(text: string, caller: Caller): Choice[] {
  const wanted = text.trim().toLocaleLowerCase()
  const pages = [...entriesOf('top', caller), ...GROUPS.flatMap((group) => entriesOf(group, caller))]
  const shown = pages.map(({ to, title }) => ({ to, title, kind: t('palette.pages') }))
  const creating = Object.values(LISTS)
    .flat()
    .flatMap((plural): Choice[] => {
      const create = findResource(plural)?.operations.create
      if (!create || !may(caller, create.permissions)) return []
      return [
        { to: `/${plural}/new`, title: t('form.create', { what: nameOf(plural, 'one') }), kind: t('palette.create') },
      ]
    })
  const all = wanted === '' ? shown : [...shown, ...creating]
  return all.filter(({ title }) => title.toLocaleLowerCase().includes(wanted)).slice(0, MOST_PAGES)
}

function useRecordChoices(text: string, caller: Caller): Choice[] {
  const resources = SEARCHED.flatMap((plural) => findResource(plural) ?? []).filter(
    ({ operations }) => operations.list && may(caller, operations.list.permissions),
  )
  const found = useQueries({
    queries: resources.map((resource) => ({
      queryKey: ['palette', resource.plural, text],
      enabled: text.length > 1,
      retry: false,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const search = /[\s"]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text
        const query = { search, per_page: 5 }
        const { body } = await request(resource.operations.list?.path ?? '', { query, signal })
        return recordsOf(body.results)
      },
    })),
  })
  return resources.flatMap((resource, place) =>
    (found[place]?.data ?? []).map((record) => ({
      to: pathOfRecord(resource, record),
      title: textOf(record, resource),
      kind: nameOf(resource.plural, 'one'),
    })),
  )
}
