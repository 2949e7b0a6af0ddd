import { useGo } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type ApiRecord, apiPathOf, textOf, type Where } from '../resources.ts'
import { type Chosen, chosenOf } from './chosen.ts'
import { CourseDialog, type Ended } from './course-dialog.tsx'
import type { Selection } from './selection.ts'

interface DeleteDialogProps {
  readonly where: Where
  readonly chosen: Chosen
  readonly close: () => void
  /** Called with the records that were not deleted. */
  readonly onDone: (left: Selection) => void
}

/** Deletes records, and shows the result for each. */
export function DeleteDialog({ where, chosen, close, onDone }: DeleteDialogProps) {
  return (
    <CourseDialog
      where={where}
      chosen={chosen}
      title={titleOf(chosen, where)}
      question={<p>{t('list.delete.text')}</p>}
      action={t('action.delete')}
      isDanger
      operationOf={({ id }) => ({ method: 'DELETE', path: apiPathOf(where, String(id), 'delete') })}
      isAlone={where.resource.operations.delete?.alone === true}
      words={{ summary: (done, failed) => t('list.delete.done', { done, failed }), done: t('list.result.done') }}
      close={close}
      onDone={(ended) => onDone(leftOf(chosen, ended))}
    />
  )
}

interface DeleteRecordDialogProps {
  readonly where: Where
  readonly record: ApiRecord
  readonly close: () => void
}

/** Deletes the record of a page, says that it is deleted, and goes to its list. */
export function DeleteRecordDialog({ where, record, close }: DeleteRecordDialogProps) {
  const go = useGo()
  return (
    <DeleteDialog
      where={where}
      chosen={chosenOf([record])}
      close={close}
      onDone={(left) => {
        if (left === 'all' || left.size > 0) return
        notify('success', t('record.deleted', { name: textOf(record, where.resource) }))
        go(where.home, { replace: true })
      }}
    />
  )
}

/** Yields the question: one record is called by its name. */
function titleOf({ count, first: [only] }: Chosen, { resource }: Where): string {
  if (count === 1 && only) return t('list.delete.one', { name: textOf(only, resource) })
  return t('list.delete', { count: formatNumber(count) })
}

function leftOf({ ids }: Chosen, { done, refused, isWhole }: Ended): Selection {
  if (ids !== null) return ids.difference(done)
  return isWhole ? refused : 'all'
}
