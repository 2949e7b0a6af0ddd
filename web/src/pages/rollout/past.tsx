import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import type { components } from '../../generated/api.d.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Link } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { formatDay, formatNumber, formatTime, t } from '../../words/words.ts'

type Rollout = components['schemas']['ConfigRollout']

const SHOWN = '20'
const HEIGHT = 60
const PARTS = [
  ['succeeded', 'good'],
  ['failed', 'bad'],
  ['cancelled', 'warning'],
  ['running', 'plain'],
  ['queued', 'idle'],
] as const

interface PastProps {
  readonly current: Rollout
}

/** Shows the latest rollouts as columns, whose height is the number of runs, the newest last; each links to its page. */
export function Past({ current }: PastProps) {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['rollouts', scopeOf(parameters), current.finished_at],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/config_rollouts', { params: { query: { order: 'id DESC', per_page: SHOWN } }, signal }))
        .data,
  })
  const title = t('rollout.past')
  const rollouts = (data?.results ?? []).toReversed()
  const most = Math.max(1, ...rollouts.map(runsOf))
  return (
    <Panel title={title}>
      <Awaited data={data} error={error} refetch={refetch} />
      {data && (
        <ul className="mw-days mw-runs" aria-label={title}>
          {rollouts.map((rollout) => (
            <li key={rollout.id}>
              <Column rollout={rollout} most={most} isCurrent={rollout.id === current.id} />
            </li>
          ))}
        </ul>
      )}
      <ul className="mw-legend">
        {PARTS.map(([state, kind]) => (
          <li key={state}>
            <svg viewBox="0 0 10 10" className="mw-legend-colour" aria-hidden="true">
              <rect className={`mw-${kind}`} width="10" height="10" />
            </svg>
            {t(`run.${state}`)}
          </li>
        ))}
      </ul>
      <Link to="/config_rollouts">{t('rollout.past.all')}</Link>
    </Panel>
  )
}

interface ColumnProps {
  readonly rollout: Rollout
  readonly most: number
  readonly isCurrent: boolean
}

function Column({ rollout, most, isCurrent }: ColumnProps) {
  const begun = rollout.created_at ?? ''
  let top = HEIGHT
  return (
    <Link
      to={`/config_rollouts/${rollout.id}`}
      className={isCurrent ? 'mw-day mw-here' : 'mw-day'}
      {...(isCurrent && { 'aria-current': 'page' as const })}
    >
      <svg className="mw-day-drawing" viewBox={`0 0 20 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {PARTS.map(([state, kind]) => {
          const height = (rollout[state] / most) * HEIGHT
          top -= height
          return height > 0 && <rect key={state} className={`mw-${kind}`} y={top} width="20" height={height} />
        })}
      </svg>
      <span aria-hidden="true" className="mw-hint">
        {formatDay(new Date(begun.replace(' UTC', 'Z').replace(' ', 'T')))}
      </span>
      <span className="pf-v6-screen-reader">
        {t('rollout.past.one', {
          time: formatTime(begun),
          search: rollout.search,
          all: formatNumber(runsOf(rollout)),
          failed: formatNumber(rollout.failed),
        })}
      </span>
    </Link>
  )
}

function runsOf(rollout: Rollout): number {
  return PARTS.reduce((sum, [state]) => sum + rollout[state], 0)
}
