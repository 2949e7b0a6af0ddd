import { Button, Divider, Dropdown, DropdownItem, DropdownList, MenuToggle, ToolbarItem } from '@patternfly/react-core'
import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mayUse } from '../../api/allowed.ts'
import { may, useCaller } from '../../api/session.ts'
import { useGo } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { useOffer } from '../../shell/offers.ts'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, t, type Word } from '../../words/words.ts'
import type { Column, ResourceFull } from '../description.ts'
import type { Where } from '../resources.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { type Chosen, loadChosen } from './chosen.ts'
import { ColumnsDialog } from './columns-dialog.tsx'
import { listCommonFields } from './common-field.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { MOST_IN_ADDRESS, NOTHING, type Selection } from './selection.ts'
import type { ListView } from './view.ts'

interface ActionsProps {
  readonly where: Where
  readonly full: ResourceFull
  readonly columns: readonly Column[]
  readonly choose: (keys: readonly string[]) => Promise<void>
  readonly view: ListView
  readonly change: (change: Partial<ListView>) => void
  readonly selected: Selection
  readonly select: (selected: Selection) => void
  readonly total: number
}

type Open =
  | 'columns'
  | 'csv'
  | 'json'
  | { readonly toDelete: Chosen }
  | { readonly toChange: Chosen; readonly first?: string }
  | null

/** What is done most with several records: a field that all get. */
const MOVES: Readonly<Record<string, readonly (readonly [Word, string])[]>> = {
  hosts: [
    ['move.group', 'hostgroup_id'],
    ['move.environment', 'environment_id'],
    ['move.owner', 'owner_id'],
    ['move.organization', 'organization_id'],
    ['move.location', 'location_id'],
    ['move.collection', 'host_collection_ids'],
    ['move.build', 'build'],
  ],
}

/** The actions on a list as a whole, and on the selected records. */
export function Actions({ where, full, columns, choose, view, change, selected, select, total }: ActionsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isChoosing, setIsChoosing] = useState(false)
  const [open, setOpen] = useState<Open>(null)
  const caller = useCaller()
  const go = useGo()
  const remove = where.resource.operations.delete
  const mayDelete = mayUse(caller, remove, where)
  const update = where.resource.operations.update
  const mayChange = mayUse(caller, update, where) && listCommonFields(where.resource, full, caller).length > 0
  const isListed = selected !== 'all' && selected.size > 0
  // A search alone would also match hosts that are not below the record of this list.
  const mayRun =
    where.resource.plural === 'hosts' && may(caller, ['configrun_hosts']) && (isListed || where.parent === null)
  const close = () => setOpen(null)
  const count = selected === 'all' ? total : selected.size
  const { mutate: withSelected, isPending } = useMutation({
    mutationFn: async (work: (chosen: Chosen) => void) => {
      const chosen = await loadChosen(where, selected, view.search)
      if (chosen.ids !== null && chosen.count < count) {
        notify('info', t('list.selected.gone', { count: formatNumber(count - chosen.count) }))
        select(chosen.ids)
      }
      if (chosen.count > 0) work(chosen)
    },
    onError: (error) => {
      const { title, text } = wordsOfProblem(error)
      notify('danger', title, text)
    },
  })
  const run = () =>
    isListed
      ? withSelected(({ first }) => go(rolloutOf(`name ^ (${first.map(({ name }) => name).join(', ')})`)))
      : go(rolloutOf(view.search))
  const changeSelected = (first?: string) =>
    withSelected((toChange) => setOpen({ toChange, ...(first !== undefined && { first }) }))
  const moves = mayChange ? (MOVES[where.resource.plural] ?? []) : []
  const deleteSelected = () => withSelected((toDelete) => setOpen({ toDelete }))
  useOffer(t('columns.title'), () => setOpen('columns'))
  useOffer(t('list.export.csv'), () => setOpen('csv'))
  useOffer(t('list.export.json'), () => setOpen('json'))
  useOffer(t('rollout.start'), run, mayRun)
  useOffer(t('change.open'), () => changeSelected(), mayChange && count > 0)
  useOffer(`${t('action.delete')} (${formatNumber(count)})`, deleteSelected, mayDelete && count > 0)
  return (
    <>
      {(mayChange || mayDelete || mayRun || count > 0) && (
        // Its place is kept, so that the table stays where it is when a row is selected.
        <ToolbarItem className="mw-selected">
          {count > 0 && (
            <>
              <Dropdown
                isOpen={isChoosing}
                onOpenChange={setIsChoosing}
                onSelect={() => setIsChoosing(false)}
                toggle={(toggle) => (
                  <MenuToggle
                    ref={toggle}
                    isExpanded={isChoosing}
                    isDisabled={isPending || !(mayChange || mayDelete || mayRun)}
                    onClick={() => setIsChoosing(!isChoosing)}
                  >
                    {t('list.selected', { count: formatNumber(count) })}
                  </MenuToggle>
                )}
              >
                <DropdownList>
                  {moves.map(([word, key]) => (
                    <DropdownItem key={key} onClick={() => changeSelected(key)}>
                      {t(word)}
                    </DropdownItem>
                  ))}
                  {mayRun && <DropdownItem onClick={run}>{t('rollout.start')}</DropdownItem>}
                  {mayDelete && moves.length > 0 && <Divider component="li" />}
                  {mayDelete && (
                    <DropdownItem isDanger onClick={deleteSelected}>
                      {t('action.delete')} ({formatNumber(count)})
                    </DropdownItem>
                  )}
                </DropdownList>
              </Dropdown>
              {mayChange && (
                <Button variant="secondary" isDisabled={isPending} onClick={() => changeSelected()}>
                  {t('change.open')}
                </Button>
              )}
              <Button variant="link" onClick={() => select(NOTHING)}>
                {t('list.select.none')}
              </Button>
              {selected !== 'all' && count > MOST_IN_ADDRESS && (
                <div>{t('list.selected.many', { count: MOST_IN_ADDRESS })}</div>
              )}
            </>
          )}
        </ToolbarItem>
      )}
      <ToolbarItem>
        <Dropdown
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          onSelect={() => setIsOpen(false)}
          popperProps={{ position: 'end' }}
          toggle={(toggle) => (
            <MenuToggle
              ref={toggle}
              variant="plain"
              isExpanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              aria-label={t('list.actions')}
              icon={<EllipsisIcon />}
            />
          )}
        >
          <DropdownList>
            <DropdownItem onClick={() => setOpen('columns')}>{t('columns.title')}</DropdownItem>
            <DropdownItem
              onClick={() => change({ isCompact: !view.isCompact, page: view.page })}
              isSelected={view.isCompact}
            >
              {t('list.density')}
            </DropdownItem>
            <DropdownItem onClick={() => setOpen('csv')}>{t('list.export.csv')}</DropdownItem>
            <DropdownItem onClick={() => setOpen('json')}>{t('list.export.json')}</DropdownItem>
            {mayRun && <DropdownItem onClick={run}>{t('rollout.start')}</DropdownItem>}
          </DropdownList>
        </Dropdown>
      </ToolbarItem>
      {open === 'columns' && (
        <ColumnsDialog resource={where.resource} full={full} columns={columns} choose={choose} close={close} />
      )}
      {open !== null && typeof open === 'object' && 'toDelete' in open && (
        <DeleteDialog where={where} chosen={open.toDelete} close={close} onDone={select} />
      )}
      {open !== null && typeof open === 'object' && 'toChange' in open && (
        <ChangeDialog where={where} full={full} chosen={open.toChange} first={open.first} close={close} />
      )}
      {(open === 'csv' || open === 'json') && (
        <ExportDialog format={open} where={where} columns={columns} view={view} total={total} close={close} />
      )}
    </>
  )
}

/** Yields the address of the form for a rollout on the hosts that match a search. */
function rolloutOf(search: string): string {
  return `/config_rollouts/new?search=${encodeURIComponent(search)}`
}
