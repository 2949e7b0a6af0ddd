import { EmptyState } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { Link, LinkButton } from '../../shell/link.tsx'
import { nameOf, t } from '../../words/words.ts'
import type { Host } from './host.ts'
import { holds, Owner, useChain } from './origins.tsx'

interface ParametersProps {
  readonly host: Host
}

/** Shows every effective parameter of a host, and the level that it comes from. */
export function Parameters({ host }: ParametersProps) {
  const self = `/hosts/${encodeURIComponent(host.name)}`
  return (
    <>
      {host.permissions.edit_hosts && (
        <LinkButton to={`${self}/parameters/new`} variant="secondary">
          {t('form.create', { what: nameOf('parameters', 'one') })}
        </LinkButton>
      )}
      {host.all_parameters.length === 0 && <EmptyState headingLevel="h2" titleText={t('host.parameters.none')} />}
      {host.all_parameters.length > 0 && (
        <Table aria-label={t('host.parameters')} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('host.what')}</Th>
              <Th>{t('host.value')}</Th>
              <Th>{t('host.origin')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {host.all_parameters.map((parameter) => {
              return (
                <Tr key={parameter.name}>
                  <Th dataLabel={t('host.what')} scope="row">
                    <bdi>{parameter.name}</bdi>
                  </Th>
                  <Td dataLabel={t('host.value')} className="mw-value">
                    <bdi>{textOfValue(parameter.value)}</bdi>
                  </Td>
                  <Td dataLabel={t('host.origin')}>
                    <Origin host={host} parameter={parameter} />
                  </Td>
                </Tr>
              )
            })}
          </Tbody>
        </Table>
      )}
    </>
  )
}

type Parameter = Host['all_parameters'][number]

interface OriginProps {
  readonly host: Host
  readonly parameter: Parameter
}

/** Shows the record that a parameter is set in, which may be one above that of the host, and leads to where it is changed. */
function Origin({ host, parameter: { id, associated_type } }: OriginProps) {
  const [plural = '', ...owners] = LEVELS[associated_type]?.(host) ?? []
  const [first = null, second = null] = owners
  const chains = [useChain(plural, first), useChain(plural, second)]
  if (associated_type === 'host')
    return <Link to={`/hosts/${encodeURIComponent(host.name)}/parameters/${id}`}>{t('host.own')}</Link>
  if (associated_type === 'global')
    return <Link to={`/common_parameters/${id}`}>{nameOf('common_parameters', 'one')}</Link>
  if (plural === '') return <bdi>{associated_type}</bdi>
  const owner = chains.flatMap((chain) => chain ?? []).find((record) => holds(record, 'parameters', id))
  return owner ? <Owner plural={plural} record={owner} /> : nameOf(plural, 'one')
}

/** The records of a level that a host has parameters from, each maybe by one above it. */
const LEVELS: Readonly<Record<string, (host: Host) => readonly [plural: string, ...ids: (number | null)[]]>> = {
  'host group': ({ hostgroup_id }) => ['hostgroups', hostgroup_id],
  domain: ({ domain_id }) => ['domains', domain_id],
  subnet: ({ subnet_id, subnet6_id }) => ['subnets', subnet_id, subnet6_id],
  'operating system': ({ operatingsystem_id }) => ['operatingsystems', operatingsystem_id],
  organization: ({ organization_id }) => ['organizations', organization_id],
  location: ({ location_id }) => ['locations', location_id],
}

/** Formats a value as text; structured values as JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
