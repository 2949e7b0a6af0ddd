import { Button } from '@patternfly/react-core'
import { formatNumber, t } from '../../words/words.ts'
import type { ApiRecord } from '../resources.ts'
import type { Selection } from './selection.ts'

interface SelectAllProps {
  readonly records: readonly ApiRecord[]
  /** The number of records that match the search. */
  readonly total: number
  readonly selected: Selection
  readonly select: (selected: Selection) => void
}

/** Once a whole page is selected, offers to select all matching records on all pages. */
export function SelectAll({ records, total, selected, select }: SelectAllProps) {
  const isAll = selected === 'all'
  const isOffered = !isAll && total > records.length && records.every(({ id }) => selected.has(Number(id)))
  return (
    <div role="status">
      {isAll && t('list.selected.all', { count: formatNumber(total) })}
      {isOffered && (
        <>
          {t('list.selected.page', { count: formatNumber(records.length) })}{' '}
          <Button variant="link" isInline onClick={() => select('all')}>
            {t('list.select.all', { count: formatNumber(total) })}
          </Button>
        </>
      )}
    </div>
  )
}
