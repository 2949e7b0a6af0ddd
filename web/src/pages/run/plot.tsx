import { Link } from '../../shell/link.tsx'
import { formatNumber, formatTime, t } from '../../words/words.ts'
import { computeSecondsBetween } from './live.tsx'

interface PlotProps {
  readonly runs: readonly Run[]
}

interface Run {
  readonly id: number
  readonly status: string
  readonly created_at: string | null
  readonly started_at: string | null
  readonly finished_at: string | null
}

const HEIGHT = 60
const LEAST = 4
const KINDS: Readonly<Record<string, string>> = { succeeded: 'good', failed: 'bad' }

/** Shows the duration and result of runs as columns, the newest last; each links to its run. */
export function Plot({ runs }: PlotProps) {
  const columns = runs.toReversed().map((run) => ({ ...run, seconds: secondsOf(run) }))
  const most = Math.max(1, ...columns.map(({ seconds }) => seconds ?? 0))
  return (
    <ul className="mw-days mw-runs" aria-label={t('follow.plot')}>
      {columns.map(({ id, status, created_at, seconds }) => {
        const height = Math.max(LEAST, ((seconds ?? 0) / most) * HEIGHT)
        return (
          <li key={id}>
            <Link to={`/config_runs/${id}`} className="mw-day">
              <svg
                className="mw-day-drawing"
                viewBox={`0 0 20 ${HEIGHT}`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <rect className={`mw-${KINDS[status] ?? 'plain'}`} y={HEIGHT - height} width="20" height={height} />
              </svg>
              <span className="pf-v6-screen-reader">
                {t('follow.column', {
                  time: formatTime(created_at ?? ''),
                  status,
                  count: seconds === null ? '–' : formatNumber(seconds),
                })}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

function secondsOf({ started_at, finished_at }: Run): number | null {
  return started_at === null || finished_at === null ? null : computeSecondsBetween(started_at, finished_at)
}
