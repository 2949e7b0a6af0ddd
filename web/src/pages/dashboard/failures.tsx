import { List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { Link } from '../../shell/link.tsx'
import { formatTime, nameOf, t } from '../../words/words.ts'
import { type Bar, Bars, Card } from './card.tsx'
import { countOf, listOf } from './count.ts'

const DAY_MS = 86_400_000
const SHOWN = 5

/** The lists that have failures, each with the search for those since a moment. */
const LISTS = [
  ['config_reports', 'view_config_reports', (since: string) => `failed > 0 and reported >= "${since}"`],
  ['config_runs', 'view_config_runs', (since: string) => `status = failed and finished_at >= "${since}"`],
  ['tasks', 'view_tasks', (since: string) => `result = error and ended_at >= "${since}"`],
] as const

interface FailedReport {
  readonly id: number
  readonly host_name: string
  readonly reported_at: string
}

/** Shows what failed since yesterday, with the newest reports. It takes no room if nothing failed. */
export function Failures() {
  const [parameters] = useSearchParams()
  const caller = useCaller()
  const seen = LISTS.filter(([, permission]) => may(caller, [permission]))
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'failures', scopeOf(parameters)],
    queryFn: async ({ signal }) => {
      const since = `${new Date(Date.now() - DAY_MS).toISOString().slice(0, 16).replace('T', ' ')}:00 UTC`
      const bars = await Promise.all(
        seen.map(async ([list, , searchOf]): Promise<Bar> => {
          const search = searchOf(since)
          const count = await countOf(`/api/${list}`, search, signal)
          return { title: nameOf(list, 'many'), count, to: listOf(list, search), kind: 'bad' }
        }),
      )
      const hasReports = bars.some(({ count, to }) => count > 0 && to.startsWith('/config_reports'))
      return {
        bars: bars.filter(({ count }) => count > 0),
        reports: hasReports ? await loadReports(since, signal) : [],
      }
    },
  })
  return (
    <Card
      title={t('dashboard.failures')}
      error={error}
      retry={() => void refetch()}
      isLoading={false}
      isEmpty={!data || data.bars.length === 0}
    >
      {data && <Bars bars={data.bars} />}
      <List isPlain>
        {data?.reports.map(({ id, host_name, reported_at }) => (
          <ListItem key={id}>
            <Link to={`/config_reports/${id}`}>
              <bdi>{host_name}</bdi>
            </Link>{' '}
            <span className="mw-hint">{formatTime(reported_at)}</span>
          </ListItem>
        ))}
      </List>
    </Card>
  )
}

async function loadReports(since: string, signal: AbortSignal): Promise<readonly FailedReport[]> {
  const query = { search: LISTS[0][2](since), order: 'reported DESC', per_page: SHOWN }
  return (await sendRequest('/api/config_reports', { query, signal })).body.results
}
