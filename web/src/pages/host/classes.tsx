import { EmptyState, EmptyStateBody, ExpandableSection, Label, Switch } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { api, sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { components } from '../../generated/api.d.ts'
import { type ApiRecord, recordsOf } from '../../resources/resources.ts'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { Problem } from '../../shell/problem.tsx'
import { formatTime, nameOf, t } from '../../words/words.ts'
import type { Host } from './host.ts'
import { holds, Owner, useChain } from './origins.tsx'
import { textOfValue } from './parameters.tsx'

type Explanation = components['schemas']['ParameterExplanation']

interface ClassesProps {
  readonly host: Host
}

/** Shows the classes of a host, the values of their parameters, and where each value comes from. */
export function Classes({ host }: ClassesProps) {
  const [isDocument, setIsDocument] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['host', 'classification', host.id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/hosts/{id}/classification', { params: { path: { id: String(host.id) } }, signal })).data,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      {data.failures.map((failure) => (
        <Alert key={failure} variant="danger" isInline title={failure} />
      ))}
      <Switch
        id="host-document"
        label={t('host.document')}
        isChecked={isDocument}
        onChange={(_event, is) => setIsDocument(is)}
      />
      {isDocument && <NodeDocument host={host} />}
      {host.all_configclasses.length === 0 && (
        <EmptyState headingLevel="h2" titleText={t('host.classes.none')}>
          <EmptyStateBody>{t('host.classes.none.text')}</EmptyStateBody>
        </EmptyState>
      )}
      {host.all_configclasses.map(({ id, name }) => (
        <section key={id} className="mw-related" aria-label={name}>
          <h2 className="pf-v6-c-title pf-m-lg mw-section-title">
            <Link to={`/configclasses/${id}`}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <Label isCompact variant="outline">
              <Origin host={host} id={id} />
            </Label>
          </h2>
          {data.parameters
            .filter(({ configclass_id }) => configclass_id === id)
            .map((one) => (
              <Parameter key={one.id} explained={one} />
            ))}
        </section>
      ))}
    </>
  )
}

interface OriginProps {
  readonly host: Host
  /** The class. */
  readonly id: number
}

/** Names each record that gives the host a class: itself, its group, those above that, and groups of classes of all these. */
function Origin({ host, id }: OriginProps) {
  const groups = useChain('hostgroups', host.hostgroup_id) ?? []
  const sets = useSets([host, ...groups])
  const isOwn = host.configclasses.some((one) => one.id === id)
  const givers = [
    ...groups.map((record) => ({ plural: 'hostgroups', record })),
    ...sets.map((record) => ({ plural: 'config_groups', record })),
  ].filter(({ record }) => holds(record, 'configclasses', id))
  if (isOwn && givers.length === 0) return t('host.own')
  if (!isOwn && givers.length === 0) return t('host.from.groups')
  return (
    <>
      {isOwn && `${t('host.own')}, `}
      {givers.map(({ plural, record }, place) => (
        <Fragment key={`${plural} ${String(record.id)}`}>
          {place > 0 && ', '}
          <Owner plural={plural} record={record} />
        </Fragment>
      ))}
    </>
  )
}

/** Loads the groups of classes that records are given, with the classes in them. */
function useSets(records: readonly ApiRecord[]): readonly ApiRecord[] {
  const mayView = may(useCaller(), ['view_config_groups'])
  const ids = records.flatMap(({ config_groups }) => recordsOf(config_groups ?? []).map(({ id }) => Number(id)))
  const { data } = useQuery({
    queryKey: ['config groups', ...ids],
    enabled: mayView && ids.length > 0,
    queryFn: async ({ signal }): Promise<readonly ApiRecord[]> => {
      const query = { search: `id ^ (${ids.join(', ')})`, per_page: 'all' }
      return (await sendRequest('/api/config_groups', { query, signal })).body.results
    },
  })
  return data ?? []
}

interface ParameterProps {
  readonly explained: Explanation
}

const COLORS = { value: 'green', absent: 'grey', failure: 'red' } as const

/** Shows one value; opened, it shows all candidates for the value, and what became of each. */
function Parameter({ explained }: ParameterProps) {
  const { parameter, status, value, message, source, reason, applies } = explained
  return (
    <ExpandableSection
      toggleContent={
        <>
          <bdi>{parameter}</bdi>{' '}
          {status === 'value' && applies ? (
            <code className="mw-value">{textOfValue(value)}</code>
          ) : (
            <Label isCompact color={COLORS[applies ? status : 'absent']}>
              {applies ? (message ?? t('record.empty')) : t('host.untold')}
            </Label>
          )}{' '}
          <span className="mw-hint">{t(`host.source.${source}`)}</span>
        </>
      }
    >
      <p>{reason}</p>
      <Candidates explained={explained} />
    </ExpandableSection>
  )
}

const FATES = {
  chosen: 'green',
  merged: 'green',
  'left out': 'grey',
  outranked: 'orange',
  'no match': 'grey',
} as const

/** Shows all candidates for a value, and what became of each. */
export function Candidates({ explained }: ParameterProps) {
  const { default: first, override_values, parameter } = explained
  return (
    <Table aria-label={t('host.candidates', { name: parameter })} variant="compact">
      <Thead>
        <Tr>
          <Th>{t('host.match')}</Th>
          <Th>{t('host.value')}</Th>
          <Th>{t('host.fate')}</Th>
          <Th>{t('history.who')}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {override_values.map((one, place) => (
          <Tr key={one.id ?? `${place} ${one.match}`}>
            <Td dataLabel={t('host.match')}>
              <bdi>{one.match}</bdi>
            </Td>
            <Td dataLabel={t('host.value')} className="mw-value">
              {one.omit ? t('host.omitted') : <bdi>{textOfValue(one.value)}</bdi>}
            </Td>
            <Td dataLabel={t('host.fate')}>
              <Label isCompact color={FATES[one.fate]}>
                {t(`host.fate.${one.fate}`)}
              </Label>{' '}
              {one.reason}
            </Td>
            <Td dataLabel={t('history.who')}>
              <SetBy author={one.set_by} />
            </Td>
          </Tr>
        ))}
        <Tr>
          <Td dataLabel={t('host.match')}>{t('host.default')}</Td>
          <Td dataLabel={t('host.value')} className="mw-value">
            {first.omit ? t('host.omitted') : <bdi>{textOfValue(first.value)}</bdi>}
          </Td>
          <Td dataLabel={t('host.fate')}>
            <Label isCompact color={first.used ? 'green' : 'grey'}>
              {first.used ? t('host.fate.chosen') : t('host.fate.outranked')}
            </Label>
          </Td>
          <Td dataLabel={t('history.who')}>
            <SetBy author={first.set_by} />
          </Td>
        </Tr>
      </Tbody>
    </Table>
  )
}

interface SetByProps {
  readonly author: Explanation['default']['set_by']
}

function SetBy({ author }: SetByProps) {
  if (!author) return null
  return (
    <Link to={`/audits/${author.audit_id}`}>
      <bdi>{author.user ?? nameOf('audits', 'one')}</bdi> {formatTime(author.at)}
    </Link>
  )
}

interface NodeDocumentProps {
  readonly host: Host
}

/** Shows the whole node document that the configuration engine gets. */
function NodeDocument({ host }: NodeDocumentProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['host', 'document', host.id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/hosts/{id}/enc', { params: { path: { id: String(host.id) } }, signal })).data,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return <pre className="mw-code">{JSON.stringify(data.data, null, 2)}</pre>
}
