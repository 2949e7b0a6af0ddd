import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { scopeOf } from '../../api/scope.ts'
import { Link } from '../../shell/link.tsx'
import { formatDay, formatNumber, t } from '../../words/words.ts'
import { Card } from './card.tsx'
import { countOf, listOf } from './count.ts'

const DAYS = 7
const DAY_MS = 86_400_000
const HEIGHT = 60

const LEGEND = [
  ['dashboard.runs.all', '', 'plain'],
  ['dashboard.runs.failed', 'failed > 0', 'bad'],
] as const

interface Day {
  readonly date: Date
  readonly all: number
  readonly failed: number
  readonly search: string
}

/** Runs by day: the total, and the failed ones among them. */
export function RunsByDay() {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'runs', scopeOf(parameters)],
    queryFn: ({ signal }) => Promise.all(listLastDays().map((date) => loadDay(date, signal))),
  })
  const most = Math.max(1, ...(data ?? []).map(({ all }) => all))
  return (
    <Card
      title={t('dashboard.runs')}
      error={error}
      retry={() => void refetch()}
      isLoading={!data}
      isEmpty={data?.every(({ all }) => all === 0)}
    >
      <ul className="mw-days">
        {data?.map(({ date, all, failed, search }) => (
          <li key={date.toISOString()}>
            <Link to={listOf('config_reports', search)} className="mw-day">
              <svg
                className="mw-day-drawing"
                viewBox={`0 0 20 ${HEIGHT}`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <Column share={all / most} kind="plain" />
                <Column share={failed / most} kind="bad" />
              </svg>
              <span aria-hidden="true">{formatNumber(all)}</span>
              <span aria-hidden="true" className="mw-hint">
                {formatDay(date)}
              </span>
              <span className="pf-v6-screen-reader">
                {t('dashboard.day', { day: formatDay(date), all: formatNumber(all), failed: formatNumber(failed) })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <ul className="mw-legend">
        {LEGEND.map(([word, search, kind]) => (
          <li key={word}>
            <svg viewBox="0 0 10 10" className="mw-legend-colour" aria-hidden="true">
              <rect className={`mw-${kind}`} width="10" height="10" />
            </svg>
            <Link className="mw-all" to={listOf('config_reports', search)}>
              {t(word)}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface ColumnProps {
  readonly share: number
  readonly kind: 'plain' | 'bad'
}

function Column({ share, kind }: ColumnProps) {
  const height = share * HEIGHT
  return <rect className={`mw-bar-filled mw-${kind}`} y={HEIGHT - height} width="20" height={height} />
}

/** Lists the midnights of the last days in the service's time zone, the oldest first. */
function listLastDays(): Date[] {
  const today = new Date()
  today.setUTCHours(0, 0, 0, 0)
  return Array.from({ length: DAYS }, (_, place) => new Date(today.getTime() - (DAYS - 1 - place) * DAY_MS))
}

async function loadDay(date: Date, signal: AbortSignal): Promise<Day> {
  const end = new Date(date.getTime() + DAY_MS)
  const search = `reported >= "${dayOf(date)}" and reported < "${dayOf(end)}"`
  const [all, failed] = await Promise.all([
    countOf('/api/config_reports', search, signal),
    countOf('/api/config_reports', `${search} and failed > 0`, signal),
  ])
  return { date, all, failed, search }
}

function dayOf(date: Date): string {
  return `${date.toISOString().slice(0, 10)} 00:00:00 UTC`
}
