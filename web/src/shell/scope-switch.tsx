import { MenuSearch, MenuSearchInput, MenuToggle, Select, SelectList, SelectOption } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { api, sendRequest } from '../api/client.ts'
import { scopeOf } from '../api/scope.ts'
import { may, useCaller } from '../api/session.ts'
import { t } from '../words/words.ts'
import { SearchInput } from './search-input.tsx'

interface ScopeSwitchProps {
  readonly kind: 'organization' | 'location'
}

interface Place {
  readonly id: number
  readonly title: string
}

/** Chooses the organization or location of all pages, which is part of their addresses. */
export function ScopeSwitch({ kind }: ScopeSwitchProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [parameters, setParameters] = useSearchParams()
  const caller = useCaller()
  const chosen = scopeOf(parameters)[kind]
  const mayList = may(caller, [`view_${kind}s`])
  const query = { organization_id: '', location_id: '', per_page: 100 }
  const { data: all = [] } = useQuery({
    queryKey: ['places', kind, text],
    enabled: mayList && isOpen,
    queryFn: async ({ signal }): Promise<Place[]> =>
      (await sendRequest(`/api/${kind}s`, { query: { ...query, search: text }, signal })).body.results,
  })
  const { data: current } = useQuery({
    queryKey: ['place', kind, chosen],
    enabled: chosen !== null,
    queryFn: async (): Promise<Place | undefined> => {
      const params = { path: { id: chosen ?? '' }, query: { organization_id: '', location_id: '' } }
      const path = kind === 'organization' ? '/api/organizations/{id}' : '/api/locations/{id}'
      return (await api.GET(path, { params })).data
    },
  })

  function choose(id: string) {
    setIsOpen(false)
    const choosePlace = (before: URLSearchParams) => {
      const next = new URLSearchParams(before)
      if (id === '') next.delete(`${kind}_id`)
      else next.set(`${kind}_id`, id)
      next.delete('page')
      next.delete('selected')
      return next
    }
    // At once: a link that is used before it has been rendered anew would lead out of the place again.
    setParameters(choosePlace, { flushSync: true })
  }

  if (!mayList) return null
  const any = t(`scope.any.${kind}`)
  return (
    <Select
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      selected={chosen ?? ''}
      onSelect={(_event, value) => choose(String(value))}
      isScrollable
      toggle={(toggle) => (
        <MenuToggle
          ref={toggle}
          isExpanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          aria-label={`${t(`scope.${kind}`)}: ${current?.title ?? any}`}
          className="mw-scope"
        >
          <bdi>{current?.title ?? any}</bdi>
        </MenuToggle>
      )}
    >
      <MenuSearch>
        <MenuSearchInput>
          <SearchInput
            aria-label={t('scope.search')}
            value={text}
            onChange={(value) => setText(value)}
            onClear={() => setText('')}
          />
        </MenuSearchInput>
      </MenuSearch>
      <SelectList aria-label={t(`scope.${kind}`)}>
        <SelectOption value="">{any}</SelectOption>
        {all.map(({ id, title }) => (
          <SelectOption key={id} value={String(id)}>
            <bdi>{title}</bdi>
          </SelectOption>
        ))}
      </SelectList>
    </Select>
  )
}
