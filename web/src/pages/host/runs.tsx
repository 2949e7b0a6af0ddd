import { Button, EmptyState, EmptyStateBody } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { may, useCaller } from '../../api/session.ts'
import { useHostActions } from '../../resources/list/host-actions.ts'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { Problem } from '../../shell/problem.tsx'
import { formatNumber, formatTime, labelOf, nameOf, t } from '../../words/words.ts'
import { Plot } from '../run/plot.tsx'
import { State } from '../run/state.tsx'
import { type Host, quoteValue } from './host.ts'
import { countFailed, useReports, useRuns } from './runs-of-host.ts'

interface RunsProps {
  readonly host: Host
}

const COUNTERS = ['applied', 'restarted', 'failed', 'failed_restarts', 'skipped', 'pending'] as const

/** Shows the runs on a host, with their results. */
export function Runs({ host }: RunsProps) {
  const caller = useCaller()
  const { run } = useHostActions(host)
  return (
    <>
      {/* With a proxy the head of the page has the button; without one this says why no run starts. */}
      {host.permissions.configrun_hosts && host.config_proxy_id === null && (
        <Button variant="secondary" onClick={run}>
          {t('host.run')}
        </Button>
      )}
      {may(caller, ['view_config_runs']) && <Asked host={host} />}
      {may(caller, ['view_config_reports']) && <Reported host={host} />}
    </>
  )
}

/** Lists runs that were started by this service. */
function Asked({ host }: RunsProps) {
  const { data, error, refetch } = useRuns(host)
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.results.length === 0) return null
  return (
    <>
      <Plot runs={data.results} />
      <Table aria-label={nameOf('config_runs', 'many')} variant="compact" className="mw-related">
        <Thead>
          <Tr>
            <Th>{t('history.when')}</Th>
            <Th>{labelOf('status')}</Th>
            <Th>{t('history.who')}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {data.results.map((run) => (
            <Tr key={run.id}>
              <Td dataLabel={t('history.when')}>
                <Link to={`/config_runs/${run.id}`}>{formatTime(run.created_at)}</Link>
              </Td>
              <Td dataLabel={labelOf('status')}>
                <State word={run.status} />
              </Td>
              <Td dataLabel={t('history.who')}>
                <bdi>{run.requested_by}</bdi>
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </>
  )
}

/** Lists runs that the agent of the host reported. */
function Reported({ host }: RunsProps) {
  const { data, error, refetch } = useReports(host)
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.results.length === 0)
    return (
      <EmptyState headingLevel="h2" titleText={t('host.reports.none')}>
        <EmptyStateBody>{t('host.reports.none.text')}</EmptyStateBody>
      </EmptyState>
    )
  return (
    <>
      <Table aria-label={nameOf('config_reports', 'many')} variant="compact" className="mw-related">
        <Thead>
          <Tr>
            <Th>{t('history.when')}</Th>
            {COUNTERS.map((counter) => (
              <Th key={counter}>{t(`report.${counter}`)}</Th>
            ))}
          </Tr>
        </Thead>
        <Tbody>
          {data.results.map((report) => (
            <Tr key={report.id}>
              <Td dataLabel={t('history.when')}>
                <Link to={`/config_reports/${report.id}`}>{formatTime(report.reported_at)}</Link>{' '}
                {countFailed(report.status) > 0 && <State word="Failed" />}
              </Td>
              {COUNTERS.map((counter) => (
                <Td key={counter} dataLabel={t(`report.${counter}`)}>
                  {formatNumber(report.status[counter])}
                </Td>
              ))}
            </Tr>
          ))}
        </Tbody>
      </Table>
      <Link to={`/config_reports?search=${encodeURIComponent(`host = ${quoteValue(host.name)}`)}`}>
        {t('host.all', { count: formatNumber(data.subtotal) })}
      </Link>
    </>
  )
}
