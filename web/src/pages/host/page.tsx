import { Button, Label, PageSection, Tab, TabTitleText } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { DeleteRecordDialog } from '../../resources/list/delete-dialog.tsx'
import { useHostActions } from '../../resources/list/host-actions.ts'
import { ChangeButtons } from '../../resources/record/change-buttons.tsx'
import { cloneAddressOf, mayClone } from '../../resources/record/clone.ts'
import { Changes } from '../../resources/record/history.tsx'
import { Timeline } from '../../resources/record/timeline.tsx'
import { whereOf } from '../../resources/resources.ts'
import { causeOf, STATE_COLORS, wordOfState } from '../../resources/states.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Heading } from '../../shell/heading.tsx'
import { Link, useGo } from '../../shell/link.tsx'
import { Tabs } from '../../shell/patternfly-parts.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { formatAgo, formatLength, formatTime, nameOf, t } from '../../words/words.ts'
import { Cards } from './cards.tsx'
import { Classes } from './classes.tsx'
import { Content } from './content.tsx'
import { Facts } from './facts.tsx'
import { type Host, loadHost, quoteValue } from './host.ts'
import { Interfaces } from './interfaces.tsx'
import { Parameters } from './parameters.tsx'
import { Runs } from './runs.tsx'

/** The page of one host: its values, their origins, and its history. */
export function Page() {
  const { id = '' } = useParams()
  return <HostPage key={id} id={id} />
}

const TABS: Readonly<Record<TabName, (host: Host) => ReactNode>> = {
  overview: (host) => <Cards host={host} />,
  parameters: (host) => <Parameters host={host} />,
  classes: (host) => <Classes host={host} />,
  interfaces: (host) => <Interfaces host={host} />,
  facts: (host) => <Facts host={host} />,
  runs: (host) => <Runs host={host} />,
  content: (host) => <Content host={host} />,
  history: (host) => <History host={host} />,
}

type TabName = 'overview' | 'parameters' | 'classes' | 'interfaces' | 'facts' | 'runs' | 'content' | 'history'

interface HistoryProps {
  readonly host: Host
}

/** Shows the host as it was, and the changes of it and of its parts. */
function History({ host: { id, name } }: HistoryProps) {
  const where = whereOf({ resource: 'hosts' })
  return (
    <>
      {where && <Timeline resource={where.resource} path={`/api/hosts/${id}`} />}
      <Changes search={`host = ${quoteValue(name)}`} />
    </>
  )
}

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
        title={host?.name ?? (/^\d+$/.test(id) ? t('host.title') : id)}
        text={host && <Head host={host} />}
        above={[{ to: '/hosts', title: nameOf('hosts', 'many') }]}
        actions={host && <Actions host={host} self={self} onDelete={() => setIsDeleting(true)} />}
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

interface ActionsProps {
  readonly host: Host
  readonly self: string
  readonly onDelete: () => void
}

/** The number of buttons beside *Edit*. */
const BUTTONS = 2

/** What is done next with a host: editing, and the first two of the others. The rest is in the menu, the deletion last. */
function Actions({ host, self, onDelete }: ActionsProps) {
  const caller = useCaller()
  const go = useGo()
  const { run, build } = useHostActions(host)
  const where = whereOf({ resource: 'hosts' })
  const { edit_hosts: mayEdit, destroy_hosts: mayDelete, configrun_hosts: mayRun } = host.permissions
  const mayCopy = where !== null && mayClone(caller, where)
  const actions = [
    ...(mayRun && host.config_proxy_id !== null ? [{ title: t('host.run'), act: run }] : []),
    ...(mayCopy ? [{ title: t('action.clone'), act: () => go(cloneAddressOf(where, host)) }] : []),
    ...(host.managed && may(caller, ['build_hosts']) ? [{ title: t('host.rebuild'), act: build }] : []),
    { title: t('host.document'), act: () => go(`${self}?tab=classes`) },
  ]
  return (
    <ChangeButtons
      self={self}
      mayEdit={mayEdit}
      more={actions.slice(BUTTONS)}
      onDelete={mayDelete ? onDelete : undefined}
    >
      {actions.slice(0, BUTTONS).map(({ title, act }) => (
        <Button key={title} variant="secondary" onClick={act}>
          {title}
        </Button>
      ))}
    </ChangeButtons>
  )
}

interface HeadProps {
  readonly host: Host
}

/** The head of the host: how it is and why, in words, and where it belongs. */
function Head({ host }: HeadProps) {
  const color = STATE_COLORS[host.global_status] ?? 'grey'
  const state = wordOfState(host.global_status_label)
  const cause = causeOf(host)
  return (
    <span className="mw-states">
      <Label color={color}>{cause === state ? state : `${state}: ${cause}`}</Label>
      <Label variant="outline">{`${t('host.configuration')}: ${wordOfState(host.configuration_status_label)}`}</Label>
      {host.managed && <Label variant="outline">{`${t('host.build')}: ${wordOfState(host.build_status_label)}`}</Label>}
      {host.subscription_status_label !== null && (
        <Label variant="outline">{`${t('host.content')}: ${wordOfState(host.subscription_status_label)}`}</Label>
      )}
      <Place plural="operatingsystems" id={host.operatingsystem_id} name={host.operatingsystem_name} />
      <Place plural="hostgroups" id={host.hostgroup_id} name={host.hostgroup_title} />
      <Place plural="organizations" id={host.organization_id} name={host.organization_name} />
      <Place plural="locations" id={host.location_id} name={host.location_name} />
      <span className="mw-hint">
        {host.last_report === null ? (
          t('host.silent')
        ) : (
          <time dateTime={host.last_report} title={formatTime(host.last_report)}>
            {t('host.reported', { time: formatAgo(host.last_report) })}
          </time>
        )}
      </span>
      {host.uptime_seconds !== null && (
        <span className="mw-hint">{t('host.up', { time: formatLength(host.uptime_seconds) })}</span>
      )}
    </span>
  )
}

interface PlaceProps {
  readonly plural: string
  readonly id: number | null
  readonly name: string | null
}

/** A record that the host belongs to. */
function Place({ plural, id, name }: PlaceProps) {
  if (id === null || name === null) return null
  return (
    <span>
      <span className="mw-hint">{nameOf(plural, 'one')}</span>{' '}
      <Link to={`/${plural}/${id}`} className="mw-all">
        <bdi>{name}</bdi>
      </Link>
    </span>
  )
}
