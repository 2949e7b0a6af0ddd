import { Dropdown, DropdownItem, DropdownList, MenuToggle, ToolbarItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayUse } from '../../api/allowed.ts'
import { sendRequest } from '../../api/client.ts'
import { useCaller } from '../../api/session.ts'
import { SearchInput } from '../../shell/search-input.tsx'
import { nameOf, t, type Word } from '../../words/words.ts'
import { findResource, recordsOf, textOf } from '../resources.ts'
import { withCondition } from './conditions.ts'

interface Facet {
  /** The search field. */
  readonly field: string
  /** The resource of its values, and the key of what is searched. */
  readonly target?: string
  readonly key?: string
  readonly title?: Word
  /** Conditions with a name, where its values are no records. */
  readonly conditions?: readonly (readonly [Word, string])[]
  /** Its values, where they are few and known. */
  readonly values?: readonly string[]
}

/** The states of hosts by which lists are narrowed, as conditions of the search. */
const STATES: NonNullable<Facet['conditions']> = [
  ['dashboard.ok', 'global_status = ok'],
  ['dashboard.warning', 'global_status = warning'],
  ['dashboard.error', 'global_status = error'],
  ['dashboard.failed', 'status.failed > 0'],
  ['dashboard.pending', 'status.pending > 0'],
  ['dashboard.building', 'build = true'],
  ['dashboard.silent', 'not has last_report'],
]

/** The categories of settings, as the service names them. */
const CATEGORIES = ['Authentication', 'Configuration', 'Content', 'Facts', 'General', 'Provisioning']

const FACETS: Readonly<Record<string, readonly Facet[]>> = {
  hosts: [
    { field: 'status', title: 'facet.status', conditions: STATES },
    { field: 'os', target: 'operatingsystems', key: 'title' },
    { field: 'hostgroup_title', target: 'hostgroups', key: 'title' },
    { field: 'location', target: 'locations', key: 'title' },
    { field: 'environment', target: 'environments', key: 'name' },
    { field: 'host_collection', target: 'host_collections', key: 'name' },
    { field: 'user.login', target: 'users', key: 'login', title: 'facet.owner' },
  ],
  settings: [{ field: 'category', title: 'facet.category', values: CATEGORIES }],
}

interface FacetsProps {
  readonly plural: string
  /** Takes the function that adds a condition to a search. */
  readonly onChoose: (addTo: (search: string) => string) => void
}

/** Narrows a list by what people look for most; each choice is written into the search, where it can be read and changed. */
export function Facets({ plural, onChoose }: FacetsProps) {
  return (FACETS[plural] ?? []).map((facet) => (
    <ToolbarItem key={facet.field} className="mw-facet">
      <FacetMenu facet={facet} onChoose={onChoose} />
    </ToolbarItem>
  ))
}

interface FacetMenuProps extends Omit<FacetsProps, 'plural'> {
  readonly facet: Facet
}

const OFFERED = 15

function FacetMenu({ facet, onChoose }: FacetMenuProps) {
  const { field, target, title, conditions = [] } = facet
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const caller = useCaller()
  const resource = target === undefined ? undefined : findResource(target)
  const list = resource?.operations.list
  const isOff = resource !== undefined && !mayUse(caller, list, { resource, parent: null })
  const { data, isFetched } = useQuery({
    queryKey: ['facet', target, text],
    enabled: isOpen && list !== undefined && !isOff,
    queryFn: async ({ signal }) => {
      const sought = text.trim() === '' ? undefined : `"${text.trim().replace(/["\\]/g, '\\$&')}"`
      const { body } = await sendRequest(list?.path ?? '', { query: { search: sought, per_page: OFFERED }, signal })
      return { records: recordsOf(body.results), count: Number(body.subtotal) }
    },
  })
  if (isOff) return null
  const name = title ? t(title) : nameOf(target ?? '', 'one')
  const take = (condition: string) => {
    setIsOpen(false)
    onChoose((search) => withCondition(search, field, condition))
  }
  const values =
    facet.values ??
    (data?.records ?? []).map((record) => String(record[facet.key ?? 'name'] ?? textOf(record, { label: 'name' })))
  return (
    <Dropdown
      // A menu is placed once, by the width that it has then.
      isOpen={isOpen && (target === undefined || isFetched || text !== '')}
      onOpenChange={setIsOpen}
      isScrollable
      popperProps={{ preventOverflow: true }}
      toggle={(toggle) => (
        <MenuToggle ref={toggle} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {name}
        </MenuToggle>
      )}
    >
      {target !== undefined && ((data?.count ?? 0) > OFFERED || text !== '') && (
        <div className="mw-facet-search">
          <SearchInput
            aria-label={t('form.find', { what: name })}
            value={text}
            onChange={(next) => setText(next)}
            onClear={() => setText('')}
          />
        </div>
      )}
      <DropdownList>
        {conditions.map(([word, condition]) => (
          <DropdownItem key={condition} description={<code>{condition}</code>} onClick={() => take(condition)}>
            {t(word)}
          </DropdownItem>
        ))}
        {values.map((value) => (
          <DropdownItem key={value} onClick={() => take(`${field} = "${value.replace(/["\\]/g, '\\$&')}"`)}>
            <bdi>{value}</bdi>
          </DropdownItem>
        ))}
        {target !== undefined && values.length === 0 && <DropdownItem isDisabled>{t('list.nothing')}</DropdownItem>}
      </DropdownList>
    </Dropdown>
  )
}
