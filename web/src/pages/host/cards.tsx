import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { components } from '../../generated/api.d.ts'
import { Link } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { formatAgo, formatNumber, formatTime, nameOf, t } from '../../words/words.ts'
import { State } from '../run/state.tsx'
import { Content, hasContent } from './content.tsx'
import { type Host, quoteValue } from './host.ts'
import { Overview } from './overview.tsx'
import { countFailed, useReports, useRuns } from './runs-of-host.ts'

/** The number of lines that a card shows; the tab of the same name has all. */
const SHOWN = 5

interface HostProps {
  readonly host: Host
}

/** The first look at a host: its properties, and beside them a card for each part that is not empty. */
export function Cards({ host }: HostProps) {
  return (
    <div className="mw-host">
      <Panel title={t('host.properties')}>
        <Overview host={host} />
      </Panel>
      <div className="mw-parts">
        <Warnings host={host} />
        <Interfaces host={host} />
        <LastRuns host={host} />
        {hasContent(host) && (
          <Panel title={t('host.content')}>
            <Content host={host} />
          </Panel>
        )}
      </div>
    </div>
  )
}

function Interfaces({ host: { name, interfaces } }: HostProps) {
  if (interfaces.length === 0) return null
  return (
    <Lines title={t('host.interfaces')} all={`${selfOf(name)}?tab=interfaces`} count={interfaces.length}>
      {interfaces.slice(0, SHOWN).map((one) => (
        <li key={one.id}>
          <Link to={`${selfOf(name)}/interfaces/${one.id}`}>
            <bdi>{one.identifier || one.name || one.id}</bdi>
          </Link>{' '}
          <bdi>{[one.ip, one.ip6, one.mac].filter(Boolean).join(', ')}</bdi>
        </li>
      ))}
    </Lines>
  )
}

/** The last runs that were asked for, and the last reports of the agent. */
function LastRuns({ host }: HostProps) {
  const { data: runs } = useRuns(host)
  const { data: reports } = useReports(host)
  const count = (runs?.subtotal ?? 0) + (reports?.subtotal ?? 0)
  if (count === 0) return null
  return (
    <Lines title={t('host.runs')} all={`${selfOf(host.name)}?tab=runs`} count={count}>
      {runs?.results.slice(0, SHOWN).map(({ id, created_at, status }) => (
        <li key={`run ${id}`}>
          {nameOf('config_runs', 'one')} <Moment to={`/config_runs/${id}`} time={created_at} /> <State word={status} />
        </li>
      ))}
      {reports?.results.slice(0, SHOWN).map(({ id, reported_at, status }) => (
        <li key={`report ${id}`}>
          {nameOf('config_reports', 'one')} <Moment to={`/config_reports/${id}`} time={reported_at} />{' '}
          {countFailed(status) > 0 ? (
            <State word="Failed" />
          ) : (
            `${t('report.applied')}: ${formatNumber(status.applied)}`
          )}
        </li>
      ))}
    </Lines>
  )
}

interface MomentProps {
  readonly to: string
  readonly time: string
}

function Moment({ to, time }: MomentProps) {
  return (
    <Link to={to}>
      <time dateTime={time} title={formatTime(time)}>
        {formatAgo(time)}
      </time>
    </Link>
  )
}

type Finding = components['schemas']['LintFindings']['results'][number]

/** What is probably a mistake in the parameters of the classes of the host. */
function Warnings({ host }: HostProps) {
  const mayView = may(useCaller(), ['view_external_parameters'])
  const names = host.all_configclasses.map(({ name }) => name)
  const { data } = useQuery({
    queryKey: ['host', 'lint', ...names],
    enabled: mayView && names.length > 0,
    queryFn: async ({ signal }): Promise<readonly Finding[]> => {
      const search = names.map((name) => `configclass = ${quoteValue(name)}`).join(' or ')
      const query = { search, per_page: SHOWN }
      return (await sendRequest('/api/smart_class_parameters/lint', { query, signal })).body.results
    },
  })
  if (!data || data.length === 0) return null
  return (
    <Lines title={t('host.warnings')} count={data.length}>
      {data.map((found) => (
        <li key={`${found.smart_class_parameter_id} ${found.override_value_id} ${found.kind}`}>
          <Link to={`/smart_class_parameters/${found.smart_class_parameter_id}`}>
            <bdi>{found.parameter}</bdi>
          </Link>{' '}
          {found.reason} {found.suggestion}
        </li>
      ))}
    </Lines>
  )
}

interface LinesProps {
  readonly title: string
  /** The address that shows all lines. */
  readonly all?: string
  readonly count: number
  readonly children: ReactNode
}

/** A card with a few lines, and the way to all of them. */
function Lines({ title, all, count, children }: LinesProps) {
  return (
    <Panel title={title}>
      <ul className="mw-lines">{children}</ul>
      {all !== undefined && count > SHOWN && <Link to={all}>{t('host.all', { count: formatNumber(count) })}</Link>}
    </Panel>
  )
}

function selfOf(name: string): string {
  return `/hosts/${encodeURIComponent(name)}`
}
