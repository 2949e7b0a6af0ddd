import { Checkbox } from '@patternfly/react-core'
import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { Table, Th, Thead, Tr } from '@patternfly/react-table'
import { memo, type Ref, useCallback, useMemo, useState } from 'react'
import { Link } from '../../shell/link.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'
import { Cell, wordOf } from '../cell.tsx'
import type { Column, ResourceShort } from '../description.ts'
import { type ApiRecord, pathOfRecord, textOf, type Where } from '../resources.ts'
import { DirectoryMark } from './directory-mark.tsx'
import { hasRowMenu, type OpenRow, RowMenu } from './row-menu.tsx'
import { SeenRows } from './seen-rows.tsx'
import type { Selection } from './selection.ts'
import { SettingValue } from './setting-value.tsx'
import type { useListView } from './view.ts'

interface RowsProps {
  readonly records: readonly ApiRecord[]
  readonly where: Where
  readonly columns: readonly Column[]
  readonly view: ReturnType<typeof useListView>[0]
  readonly change: ReturnType<typeof useListView>[1]
  readonly selected: Selection
  readonly select: (selected: Selection) => void
}

/** Tells whether anything can be done with several records at once. */
export function isSelectable({ operations }: ResourceShort): boolean {
  return operations.delete !== undefined || operations.update !== undefined
}

/** Shows a page of a list as a table; of a long page only the visible rows are in the document. */
export function Rows({ records, where, columns, view, change, selected, select }: RowsProps) {
  const { resource } = where
  const canSelect = isSelectable(resource)
  const [sortBy = '', direction = 'ASC'] = view.order.split(' ')
  // Deselecting rows while everything is selected keeps the other visible rows.
  const marked = useMemo(
    () => (selected === 'all' ? new Set(records.map(({ id }) => Number(id))) : selected),
    [selected, records],
  )
  const isAll = records.every(({ id }) => marked.has(Number(id)))
  const mark = useCallback(
    (some: readonly ApiRecord[], is: boolean) => {
      const ids = new Set(some.map(({ id }) => Number(id)))
      select(is ? marked.union(ids) : marked.difference(ids))
    },
    [marked, select],
  )
  const [open, setOpen] = useState<OpenRow | null>(null)
  const hasMenu = hasRowMenu(where)
  return (
    <>
      <Table
        aria-label={t('list.table', { what: nameOf(resource.plural, 'many') })}
        aria-rowcount={records.length + 1}
        variant={view.isCompact ? 'compact' : undefined}
        isStickyHeader
        className="mw-list"
      >
        <Thead>
          <Tr>
            {canSelect && (
              <Th className="pf-v6-c-table__check">
                <Checkbox
                  id="select-page"
                  aria-label={t('list.select.page')}
                  isChecked={isAll && records.length > 0}
                  onChange={(_event, is) => mark(records, is)}
                />
              </Th>
            )}
            {columns.map((column, place) => (
              <Th
                key={column.key}
                modifier="nowrap"
                {...(column.sort !== undefined && {
                  sort: {
                    columnIndex: place,
                    sortBy: {
                      index: columns.findIndex(({ sort }) => sort === sortBy),
                      direction: direction.toUpperCase() === 'DESC' ? 'desc' : 'asc',
                    },
                    onSort: (_event, _index, next) => change({ order: `${column.sort} ${next.toUpperCase()}` }),
                  },
                })}
              >
                {labelOf(column.key)}
              </Th>
            ))}
            {hasMenu && <Th className="mw-menu-head" screenReaderText={t('list.actions')} />}
          </Tr>
        </Thead>
        <SeenRows
          count={records.length}
          width={columns.length + (canSelect ? 1 : 0) + (hasMenu ? 1 : 0)}
          row={(index, measured) => {
            const record = records[index]
            return (
              record && (
                <Row
                  key={String(record.id ?? index)}
                  record={record}
                  index={index}
                  where={where}
                  columns={columns}
                  isMarked={marked.has(Number(record.id))}
                  mark={mark}
                  measured={measured}
                  openMenu={hasMenu ? setOpen : undefined}
                />
              )
            )
          }}
        />
      </Table>
      {open && <RowMenu open={open} where={where} close={() => setOpen(null)} />}
    </>
  )
}

interface RowProps extends Pick<RowsProps, 'where' | 'columns'> {
  readonly record: ApiRecord
  readonly index: number
  readonly isMarked: boolean
  readonly mark: (some: readonly ApiRecord[], is: boolean) => void
  readonly measured: Ref<HTMLTableRowElement> | undefined
  readonly openMenu: ((open: OpenRow) => void) | undefined
}

/**
 * Rendered only when its own properties change, because the table is rendered often while it scrolls. The elements are those of
 * PatternFly, without its components: each of its cells asks for its width and is rendered twice, which takes longer than all else.
 */
const Row = memo(function Row({ record, index, where, columns, isMarked, mark, measured, openMenu }: RowProps) {
  const { resource, home, parent } = where
  const name = textOf(record, resource)
  const linked = columns.find(({ key }) => key === resource.label) ?? columns[0]
  const href =
    parent && resource.within !== null
      ? `${home}/${encodeURIComponent(String(record.id))}`
      : pathOfRecord(resource, record)
  return (
    <tr ref={measured} className="pf-v6-c-table__tr" data-index={index} aria-rowindex={index + 2}>
      {isSelectable(resource) && (
        <td className="pf-v6-c-table__td pf-v6-c-table__check" tabIndex={-1}>
          <div className="pf-v6-c-check pf-m-standalone">
            <input
              id={`select-${index}`}
              className="pf-v6-c-check__input"
              type="checkbox"
              aria-label={t('list.select.row', { name })}
              checked={isMarked}
              onChange={({ currentTarget }) => mark([record], currentTarget.checked)}
            />
          </div>
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className="pf-v6-c-table__td" data-label={labelOf(column.key)} tabIndex={-1}>
          {column === linked && resource.operations.show ? (
            <>
              <Link to={href} className="mw-cell">
                <bdi>{textOfLink(record, column, resource, name)}</bdi>
              </Link>
              {resource.plural === 'auth_source_ldaps' && <DirectoryMark id={Number(record.id)} />}
            </>
          ) : resource.plural === 'settings' && column.key === 'value' ? (
            <SettingValue record={record} column={column} where={where} />
          ) : (
            <Cell record={record} column={column} isShort />
          )}
        </td>
      ))}
      {openMenu && (
        <td className="pf-v6-c-table__td pf-v6-c-table__action" tabIndex={-1}>
          <button
            type="button"
            className="pf-v6-c-menu-toggle pf-m-plain"
            aria-haspopup="menu"
            aria-label={t('list.actions.of', { name })}
            onClick={({ currentTarget }) => openMenu({ record, button: currentTarget })}
          >
            <EllipsisIcon />
          </button>
        </td>
      )}
    </tr>
  )
})

/** Yields the text of a row's link: its label, or what the column shows where that is a text. */
function textOfLink(record: ApiRecord, column: Column, { label }: ResourceShort, name: string): string {
  const value = record[column.key]
  const isShown = column.key !== label && (typeof value === 'string' || typeof value === 'number')
  return isShown ? wordOf(column, String(value)) : name
}
