import { Checkbox } from '@patternfly/react-core'
import { Table, Th, Thead, Tr } from '@patternfly/react-table'
import { memo, type Ref, useCallback, useMemo } from 'react'
import { Link } from '../../shell/link.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'
import { Cell } from '../cell.tsx'
import type { Column, ResourceShort } from '../description.ts'
import { type ApiRecord, pathOfRecord, textOf, type Where } from '../resources.ts'
import { SeenRows } from './seen-rows.tsx'
import type { Selection } from './selection.ts'
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
  return (
    <Table
      aria-label={t('list.table', { what: nameOf(resource.plural, 'many') })}
      aria-rowcount={records.length + 1}
      variant={view.isCompact ? 'compact' : undefined}
      isStickyHeader
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
        </Tr>
      </Thead>
      <SeenRows
        count={records.length}
        width={columns.length + (canSelect ? 1 : 0)}
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
              />
            )
          )
        }}
      />
    </Table>
  )
}

interface RowProps extends Pick<RowsProps, 'where' | 'columns'> {
  readonly record: ApiRecord
  readonly index: number
  readonly isMarked: boolean
  readonly mark: (some: readonly ApiRecord[], is: boolean) => void
  readonly measured: Ref<HTMLTableRowElement> | undefined
}

/**
 * Rendered only when its own properties change, because the table is rendered often while it scrolls. The elements are those of
 * PatternFly, without its components: each of its cells asks for its width and is rendered twice, which takes longer than all else.
 */
const Row = memo(function Row({ record, index, where, columns, isMarked, mark, measured }: RowProps) {
  const { resource, home, parent } = where
  const name = textOf(record, resource)
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
      {columns.map((column, place) => (
        <td key={column.key} className="pf-v6-c-table__td" data-label={labelOf(column.key)} tabIndex={-1}>
          {place === 0 && resource.operations.show ? (
            <Link to={href} className="mw-cell">
              <bdi>{column.key === resource.label ? name : String(record[column.key] ?? name)}</bdi>
            </Link>
          ) : (
            <Cell record={record} column={column} isShort />
          )}
        </td>
      ))}
    </tr>
  )
})
