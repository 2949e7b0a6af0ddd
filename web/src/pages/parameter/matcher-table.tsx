import { Button, Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core'
import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { Table, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useState } from 'react'
import { SeenRows } from '../../resources/list/seen-rows.tsx'
import { Grip, useReordering } from '../../shell/reordering.tsx'
import { SearchInput } from '../../shell/search-input.tsx'
import { formatNumber, nameOf, t } from '../../words/words.ts'
import { textOfValue } from '../host/parameters.tsx'
import { type Override, type Parameter, sortOverrides } from './parameter.ts'
import type { Rules } from './rules-state.ts'
import { useWinners, WonHosts } from './winners.tsx'

interface MatcherTableProps {
  readonly parameter: Parameter
  readonly rules: Rules
  readonly mayEdit: boolean
  readonly edit: (override: Override) => void
  readonly remove: (override: Override) => void
}

/** From this number of matchers on, people find one by its text. */
const MANY = 20

/** The matchers of a parameter in order of precedence, with the hosts that each one wins on. */
export function MatcherTable({ parameter, rules, mayEdit, edit, remove }: MatcherTableProps) {
  const [text, setText] = useState('')
  const winners = useWinners(parameter.id)
  const sorted = sortOverrides(parameter, rules.lines)
  const rows = sorted.filter(({ override }) => override.match.toLowerCase().includes(text.trim().toLowerCase()))
  const reordering = useReordering((from, to) => rules.move(rows[from]?.line ?? 0, rows[to]?.line ?? 0))
  const title = t('matcher.title')
  const find = t('form.find', { what: title })
  if (sorted.length === 0) return null
  return (
    <>
      {sorted.length >= MANY && (
        <SearchInput aria-label={find} placeholder={find} value={text} onChange={setText} onClear={() => setText('')} />
      )}
      <div className="mw-scroll">
        <Table aria-label={title} variant="compact">
          <Thead>
            <Tr>
              {rules.mayEdit && <Th screenReaderText={t('order.title')} />}
              <Th>{t('host.match')}</Th>
              <Th>{t('host.value')}</Th>
              {winners && <Th>{nameOf('hosts', 'many')}</Th>}
              {mayEdit && <Th screenReaderText={t('list.actions')} />}
            </Tr>
          </Thead>
          <SeenRows
            count={rows.length}
            width={2 + [rules.mayEdit, winners, mayEdit].filter(Boolean).length}
            row={(place, measured) => {
              const row = rows[place]
              if (!row) return null
              const { override, line } = row
              const isOrdered = line !== null && rules.mayEdit
              return (
                <Tr key={override.id} innerRef={measured} data-index={place} {...(isOrdered && reordering.row(place))}>
                  {rules.mayEdit && (
                    <Td>
                      {line !== null && (
                        <Grip
                          name={override.match}
                          place={line}
                          count={rules.lines.length}
                          move={rules.move}
                          grip={reordering.grip(place)}
                        />
                      )}
                    </Td>
                  )}
                  <Th scope="row" dataLabel={t('host.match')}>
                    <bdi>{override.match}</bdi>
                  </Th>
                  <Td dataLabel={t('host.value')} className="mw-value">
                    {override.omit ? t('host.omitted') : <bdi>{textOfValue(override.value)}</bdi>}
                  </Td>
                  {winners && (
                    <Td dataLabel={nameOf('hosts', 'many')}>
                      <WonHosts won={winners.byOverride.get(override.id)} name={override.match} />
                    </Td>
                  )}
                  {mayEdit && <RowActions override={override} edit={edit} remove={remove} />}
                </Tr>
              )
            }}
          />
        </Table>
      </div>
      {winners && (
        <p className="mw-hint">
          {t('matcher.default', { total: formatNumber(winners.total) })}{' '}
          <WonHosts won={winners.byDefault} name={t('host.default')} />
        </p>
      )}
    </>
  )
}

type RowActionsProps = Pick<MatcherTableProps, 'edit' | 'remove'> & { readonly override: Override }

/** A button to edit a matcher, and a menu with what is pressed rarely. */
function RowActions({ override, edit, remove }: RowActionsProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Td>
      <Button
        variant="link"
        isInline
        aria-label={`${t('action.edit')}: ${override.match}`}
        onClick={() => edit(override)}
      >
        {t('action.edit')}
      </Button>{' '}
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onSelect={() => setIsOpen(false)}
        popperProps={{ position: 'end', appendTo: () => document.body }}
        toggle={(toggle) => (
          <MenuToggle
            ref={toggle}
            variant="plain"
            size="sm"
            isExpanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            aria-label={t('list.actions.of', { name: override.match })}
            icon={<EllipsisIcon />}
          />
        )}
      >
        <DropdownList>
          <DropdownItem isDanger onClick={() => remove(override)}>
            {t('action.delete')}
          </DropdownItem>
        </DropdownList>
      </Dropdown>
    </Td>
  )
}
