import { EmptyState } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { Link, LinkButton } from '../../shell/link.tsx'
import { nameOf, t } from '../../words/words.ts'
import type { Host } from './host.ts'

interface ParametersProps {
  readonly host: Host
}

interface Origin {
  readonly text: string
  readonly to: string | null
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
              const { text, to } = originOf(host, parameter)
              return (
                <Tr key={parameter.name}>
                  <Th dataLabel={t('host.what')} scope="row">
                    <bdi>{parameter.name}</bdi>
                  </Th>
                  <Td dataLabel={t('host.value')} className="mw-value">
                    <bdi>{textOfValue(parameter.value)}</bdi>
                  </Td>
                  <Td dataLabel={t('host.origin')}>
                    {to === null ? (
                      <bdi>{text}</bdi>
                    ) : (
                      <Link to={to}>
                        <bdi>{text}</bdi>
                      </Link>
                    )}
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

/** Yields the level at which a parameter is set, and the page on which it is changed. */
function originOf(host: Host, { id, associated_type }: Parameter): Origin {
  const self = `/hosts/${encodeURIComponent(host.name)}`
  const buildLevelOrigin = (plural: string, name: string | null, target: number | null): Origin => ({
    text: `${nameOf(plural, 'one')} ${name ?? ''}`.trim(),
    to: target === null ? null : `/${plural}/${target}`,
  })
  switch (associated_type) {
    case 'global':
      return { text: nameOf('common_parameters', 'one'), to: `/common_parameters/${id}` }
    case 'host':
      return { text: t('host.own'), to: `${self}/parameters/${id}` }
    case 'host group':
      return buildLevelOrigin('hostgroups', host.hostgroup_title, host.hostgroup_id)
    case 'domain':
      return buildLevelOrigin('domains', host.domain_name, host.domain_id)
    case 'subnet':
      return buildLevelOrigin('subnets', host.subnet_name ?? host.subnet6_name, host.subnet_id ?? host.subnet6_id)
    case 'operating system':
      return buildLevelOrigin('operatingsystems', host.operatingsystem_name, host.operatingsystem_id)
    case 'organization':
      return buildLevelOrigin('organizations', host.organization_name, host.organization_id)
    case 'location':
      return buildLevelOrigin('locations', host.location_name, host.location_id)
    default:
      return { text: associated_type, to: null }
  }
}

/** Formats a value as text; structured values as JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
