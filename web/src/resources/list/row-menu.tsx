import { Dropdown, DropdownItem, DropdownList } from '@patternfly/react-core'
import { useRef } from 'react'
import { mayUse } from '../../api/allowed.ts'
import { may, useCaller } from '../../api/session.ts'
import { useGo } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'
import { cloneAddressOf, mayClone } from '../record/clone.ts'
import { type ApiRecord, pathOfRecord, type Where } from '../resources.ts'
import { useHostActions } from './host-actions.ts'

/** The row whose menu is open, and the button that opened it. */
export interface OpenRow {
  readonly record: ApiRecord
  readonly button: HTMLButtonElement
}

interface RowMenuProps {
  readonly open: OpenRow
  readonly where: Where
  readonly close: () => void
}

/** The menu of a row: one for the whole table, because a menu in each row would make long lists slow. */
export function RowMenu({ open: { record, button }, where, close }: RowMenuProps) {
  const caller = useCaller()
  const go = useGo()
  const { resource } = where
  const toggle = useRef(button)
  const self = pathOfRecord(resource, record)
  const isHost = resource.plural === 'hosts'
  const actions = useHostActions(record)
  return (
    <Dropdown
      isOpen
      onOpenChange={close}
      onSelect={close}
      popperProps={{ position: 'end', appendTo: () => document.body }}
      toggle={{ toggleNode: null, toggleRef: toggle }}
    >
      <DropdownList>
        {mayUse(caller, resource.operations.update, where, String(record.id)) && (
          <DropdownItem onClick={() => go(`${self}/edit`)}>{t('action.edit')}</DropdownItem>
        )}
        {mayClone(caller, where) && (
          <DropdownItem onClick={() => go(cloneAddressOf(where, record))}>{t('action.clone')}</DropdownItem>
        )}
        {isHost && record.managed === true && may(caller, ['build_hosts']) && (
          <DropdownItem onClick={actions.build}>{t('host.rebuild')}</DropdownItem>
        )}
        {isHost && may(caller, ['configrun_hosts']) && (
          <DropdownItem onClick={actions.run}>{t('host.run')}</DropdownItem>
        )}
        {isHost && may(caller, ['view_hosts']) && (
          <DropdownItem onClick={() => go(`${self}?tab=classes`)}>{t('host.document')}</DropdownItem>
        )}
      </DropdownList>
    </Dropdown>
  )
}

/** Whether the rows of a list have a menu with anything in it. */
export function hasRowMenu({ resource, parent }: Where): boolean {
  return parent === null && resource.plural === 'hosts'
}
