import { Label, PageSection, Tab, TabTitleText } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { scopeOf } from '../../api/scope.ts'
import { DeleteRecordDialog } from '../../resources/list/delete-dialog.tsx'
import { ChangeButtons } from '../../resources/record/change-buttons.tsx'
import { Changes } from '../../resources/record/history.tsx'
import { whereOf } from '../../resources/resources.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Heading } from '../../shell/heading.tsx'
import { useGo } from '../../shell/link.tsx'
import { Tabs } from '../../shell/patternfly.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { formatTime, nameOf, t } from '../../words/words.ts'
import { Classes } from './classes.tsx'
import { Content } from './content.tsx'
import { Facts } from './facts.tsx'
import { type Host, loadHost, quoteValue } from './host.ts'
import { Interfaces } from './interfaces.tsx'
import { Overview } from './overview.tsx'
import { Parameters } from './parameters.tsx'
import { Runs } from './runs.tsx'

/** The page of one host: its values, their origins, and its history. */
export function Page() {
  const { id = '' } = useParams()
  return <HostPage key={id} id={id} />
}

const TABS: Readonly<Record<TabName, (host: Host) => ReactNode>> = {
  overview: (host) => <Overview host={host} />,
  parameters: (host) => <Parameters host={host} />,
  classes: (host) => <Classes host={host} />,
  interfaces: (host) => <Interfaces host={host} />,
  facts: (host) => <Facts host={host} />,
  runs: (host) => <Runs host={host} />,
  content: (host) => <Content host={host} />,
  history: ({ name }) => <Changes search={`host = ${quoteValue(name)}`} />,
}

type TabName = 'overview' | 'parameters' | 'classes' | 'interfaces' | 'facts' | 'runs' | 'content' | 'history'

interface HostPageProps {
  readonly id: string
}

function HostPage({ id }: HostPageProps) {
  const [parameters, setParameters] = useSearchParams()
  const [isDeleting, setIsDeleting] = useState(false)
  const go = useGo()
  const {
    data: host,
    error,
    refetch,
  } = useQuery({
    queryKey: ['host', id, scopeOf(parameters)],
    queryFn: ({ signal }) => loadHost(id, signal),
  })
  const self = `/hosts/${encodeURIComponent(id)}`
  const where = whereOf({ resource: 'hosts' })
  useShortcut('edit', () => go(`${self}/edit`), host?.permissions.edit_hosts === true)
  useShortcut('up', () => go('/hosts'))
  const tab = parameters.get('tab') ?? 'overview'
  const show = (next: string) =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      for (const name of ['tab', 'search', 'page']) after.delete(name)
      if (next !== 'overview') after.set('tab', next)
      return after
    })
  return (
    <>
      <Heading
        title={host?.name ?? id}
        text={host && <States host={host} />}
        above={[{ to: '/hosts', title: nameOf('hosts', 'many') }]}
        actions={
          host && (
            <ChangeButtons
              self={self}
              mayEdit={host.permissions.edit_hosts}
              mayDelete={host.permissions.destroy_hosts}
              onDelete={() => setIsDeleting(true)}
            />
          )
        }
      />
      <Awaited data={host} error={error} refetch={refetch} />
      {host && (
        <PageSection>
          <Tabs
            activeKey={tab}
            onSelect={(_event, next) => show(String(next))}
            aria-label={t('record.tabs')}
            mountOnEnter
            unmountOnExit
          >
            {(Object.keys(TABS) as TabName[]).map((name) => (
              <Tab key={name} eventKey={name} title={<TabTitleText>{t(`host.${name}`)}</TabTitleText>}>
                <PageSection>{TABS[name](host)}</PageSection>
              </Tab>
            ))}
          </Tabs>
        </PageSection>
      )}
      {isDeleting && host && where && (
        <DeleteRecordDialog where={where} record={host} close={() => setIsDeleting(false)} />
      )}
    </>
  )
}

interface StatesProps {
  readonly host: Host
}

const COLORS = ['green', 'yellow', 'red'] as const

/** Shows the states of the host in words, and since when. */
function States({ host }: StatesProps) {
  return (
    <span className="mw-states">
      <Label color={COLORS[host.global_status] ?? 'grey'}>{host.global_status_label}</Label>
      <Label variant="outline">{`${t('host.configuration')}: ${host.configuration_status_label}`}</Label>
      {host.managed && <Label variant="outline">{`${t('host.build')}: ${host.build_status_label}`}</Label>}
      {host.subscription_status_label !== null && (
        <Label variant="outline">{`${t('host.content')}: ${host.subscription_status_label}`}</Label>
      )}
      <span className="mw-hint">
        {host.last_report === null ? t('host.silent') : t('host.reported', { time: formatTime(host.last_report) })}
      </span>
    </span>
  )
}
