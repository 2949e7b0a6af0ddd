import { useQueryClient } from '@tanstack/react-query'
import { notify } from '../../shell/notices.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type ApiRecord, apiPathOf, type Where } from '../resources.ts'
import { attemptEach } from './batch.ts'

const PORTION = 100

/** Yields a function that offers, for some seconds, to give records back the values that they had, by their ids. */
export function useUndoOfMany(where: Where): (had: ReadonlyMap<number, ApiRecord>) => void {
  const queries = useQueryClient()
  const { resource } = where
  async function undo(had: ReadonlyMap<number, ApiRecord>): Promise<void> {
    const operations = [...had].map(([id, values]) => ({
      method: 'PUT' as const,
      path: apiPathOf(where, String(id), 'update'),
      body: { [resource.word]: values },
    }))
    const isAlone = resource.operations.update?.alone === true
    const size = isAlone ? 1 : PORTION
    let refused = 0
    for (let start = 0; start < operations.length; start += size)
      refused += (await attemptEach(operations.slice(start, start + size), isAlone)).filter(
        (one) => one !== null,
      ).length
    await queries.invalidateQueries()
    const said = { done: formatNumber(operations.length - refused), failed: formatNumber(refused) }
    notify(refused > 0 ? 'danger' : 'success', t('undo.many', said))
  }
  return (had) => {
    if (had.size === 0) return
    const title = t('undo.offer', { count: formatNumber(had.size) })
    notify('success', title, '', { title: t('action.undo'), act: () => void undo(had) })
  }
}
