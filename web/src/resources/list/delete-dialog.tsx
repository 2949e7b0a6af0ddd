import { useQuery } from '@tanstack/react-query'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { useGo } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type ApiRecord, apiPathOf, textOf, type Where } from '../resources.ts'
import { type Chosen, chosenOf } from './chosen.ts'
import { type Confirmation, CourseDialog, type Ended } from './course-dialog.tsx'
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
      question={<Question where={where} chosen={chosen} />}
      confirmation={confirmationOf(chosen, where)}
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

/** Says what is lost: with a host group also how many hosts lose it. */
function Question({ where, chosen }: Pick<DeleteDialogProps, 'where' | 'chosen'>) {
  const [only] = chosen.first
  const isGroup = where.resource.plural === 'hostgroups' && chosen.count === 1 && only !== undefined
  const mayView = may(useCaller(), ['view_hosts'])
  const { data: hosts } = useQuery({
    queryKey: ['hosts of a group to be deleted', only?.id],
    enabled: isGroup && mayView,
    queryFn: async ({ signal }): Promise<number> => {
      const query = { search: `hostgroup_id = ${String(only?.id)}`, per_page: 1 }
      return (await sendRequest('/api/hosts', { query, signal })).body.subtotal
    },
  })
  return (
    <p>
      {t('list.delete.text')} {hosts !== undefined && t('list.delete.hosts', { count: formatNumber(hosts) })}
    </p>
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

/** What is typed before anything is deleted: the name of one record, or the number of several. */
function confirmationOf({ count, first: [only] }: Chosen, { resource }: Where): Confirmation {
  if (count === 1 && only) return { text: textOf(only, resource), label: t('list.delete.type') }
  return { text: String(count), label: t('list.delete.number') }
}

function leftOf({ ids }: Chosen, { done, refused, isWhole }: Ended): Selection {
  if (ids !== null) return ids.difference(done)
  return isWhole ? refused : 'all'
}
