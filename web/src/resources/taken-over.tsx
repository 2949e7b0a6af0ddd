import { useQuery } from '@tanstack/react-query'
import { sendRequest } from '../api/client.ts'
import { formatNumber, labelOf, t } from '../words/words.ts'
import { type ApiRecord, textOf } from './resources.ts'
import { listTaken } from './taken.ts'

/** Loads the host group that hosts are to be moved to, wherever the page looks from; undefined until it is there. */
export function useGroup(id: number | undefined): ApiRecord | undefined {
  return useQuery({
    queryKey: ['group to move to', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }): Promise<ApiRecord> => {
      const query = { organization_id: '', location_id: '' }
      return (await sendRequest(`/api/hostgroups/${id}`, { query, signal })).body
    },
  }).data
}

interface TakenOverProps {
  readonly group: ApiRecord
  /** The hosts, or the first of them. */
  readonly hosts: readonly ApiRecord[]
  readonly count: number
  /** The words before what changes. */
  readonly title?: 'move.takes' | 'move.gives'
}

/** Says before a move to another group which values of the hosts change with it. */
export function TakenOver({ group, hosts, count, title = 'move.takes' }: TakenOverProps) {
  const all = hosts.flatMap((host) => listTaken(group, host))
  const lines = [...Map.groupBy(all, ({ key, before, after }) => JSON.stringify([key, before, after])).values()]
  const name = textOf(group, { label: 'title' })
  if (lines.length === 0) return <p className="mw-hint">{t('move.nothing', { name })}</p>
  return (
    <div role="status">
      <p>{t(title, { name })}</p>
      <ul>
        {lines.map(([first, ...others]) =>
          first === undefined ? null : (
            <li key={`${first.key} ${first.before} ${first.after}`}>
              {t('move.change', {
                what: labelOf(first.key),
                before: first.before ?? t('record.none'),
                after: first.after ?? t('record.none'),
                count: formatNumber(others.length + 1),
              })}
            </li>
          ),
        )}
      </ul>
      {hosts.length < count && <p className="mw-hint">{t('move.first', { count: formatNumber(hosts.length) })}</p>}
    </div>
  )
}
