import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import type { ReactNode } from 'react'
import type { ApiRecord } from '../../resources/resources.ts'
import { Link } from '../../shell/link.tsx'
import { formatTime, labelOf, t } from '../../words/words.ts'
import type { Host, Hostgroup } from './host.ts'
import { type Chain, Owner, useChain } from './origins.tsx'

interface Fact {
  /** The key of the value to show. */
  readonly shown: keyof Host
  /** The key of the linked record's id, where it differs, and the list of such records. */
  readonly id?: keyof Host
  readonly list?: string
  /** The key of host groups that passes the value on to their hosts. */
  readonly given?: keyof Hostgroup
  /** The label, where it differs from that of the key. */
  readonly label?: string
}

const FACTS: readonly Fact[] = [
  { shown: 'name' },
  { shown: 'certname' },
  { shown: 'comment' },
  { shown: 'organization_name', id: 'organization_id', list: 'organizations' },
  { shown: 'location_name', id: 'location_id', list: 'locations' },
  { shown: 'owner_name', label: 'owner' },
  { shown: 'hostgroup_title', id: 'hostgroup_id', list: 'hostgroups', label: 'hostgroup' },
  { shown: 'environment_name', id: 'environment_id', list: 'environments', given: 'environment_id' },
  { shown: 'operatingsystem_name', id: 'operatingsystem_id', list: 'operatingsystems', given: 'operatingsystem_id' },
  { shown: 'architecture_name', id: 'architecture_id', list: 'architectures', given: 'architecture_id' },
  { shown: 'model_name', id: 'model_id', list: 'models' },
  { shown: 'domain_name', id: 'domain_id', list: 'domains', given: 'domain_id' },
  { shown: 'realm_name', id: 'realm_id', list: 'realms', given: 'realm_id' },
  { shown: 'ip' },
  { shown: 'ip6' },
  { shown: 'mac' },
  { shown: 'subnet_name', id: 'subnet_id', list: 'subnets', given: 'subnet_id' },
  { shown: 'subnet6_name', id: 'subnet6_id', list: 'subnets', given: 'subnet6_id' },
  { shown: 'medium_name', id: 'medium_id', list: 'media', given: 'medium_id' },
  { shown: 'ptable_name', id: 'ptable_id', list: 'ptables', given: 'ptable_id' },
  { shown: 'pxe_loader', given: 'pxe_loader' },
  {
    shown: 'compute_resource_name',
    id: 'compute_resource_id',
    list: 'compute_resources',
    given: 'compute_resource_id',
  },
  { shown: 'compute_profile_name', id: 'compute_profile_id', list: 'compute_profiles', given: 'compute_profile_id' },
  { shown: 'config_proxy_name', id: 'config_proxy_id', list: 'smart_proxies', given: 'config_proxy_id' },
  { shown: 'config_ca_proxy_name', id: 'config_ca_proxy_id', list: 'smart_proxies', given: 'config_ca_proxy_id' },
  { shown: 'created_at' },
  { shown: 'creator' },
  { shown: 'installed_at' },
]
const TIMES: ReadonlySet<string> = new Set(['created_at', 'installed_at'])

interface OverviewProps {
  readonly host: Host
}

/** Shows the values of a host, and for each that a host group can give, where it comes from. */
export function Overview({ host }: OverviewProps) {
  const groups = useChain('hostgroups', host.hostgroup_id)
  const { full = [], empty = [] } = Object.groupBy(FACTS, ({ shown, given }) =>
    isEmpty(host[shown]) && giverOf(groups, given) === undefined ? 'empty' : 'full',
  )
  const nameOfFact = ({ shown, label }: Fact) => labelOf(label ?? shown)
  return (
    <>
      <Table aria-label={t('host.overview')} variant="compact">
        <Thead>
          <Tr>
            <Th>{t('host.what')}</Th>
            <Th>{t('host.value')}</Th>
            <Th>{t('host.origin')}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {full.map((fact) => (
            <Tr key={fact.shown}>
              <Th dataLabel={t('host.what')} scope="row">
                {nameOfFact(fact)}
              </Th>
              <Td dataLabel={t('host.value')} className="mw-value">
                <Value host={host} fact={fact} />
              </Td>
              <Td dataLabel={t('host.origin')}>{originOf(host, groups, fact)}</Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
      {empty.length > 0 && (
        <p className="mw-related">{t('record.without', { names: empty.map(nameOfFact).join(', ') })}</p>
      )}
    </>
  )
}

interface ValueProps {
  readonly host: Host
  readonly fact: Fact
}

function Value({ host, fact: { shown, id, list } }: ValueProps) {
  const value = host[shown]
  if (isEmpty(value)) return <span className="mw-hint">{t('record.none')}</span>
  const text = TIMES.has(shown) ? formatTime(String(value)) : String(value)
  const target = id === undefined ? null : host[id]
  if (list === undefined || isEmpty(target)) return <bdi>{text}</bdi>
  return (
    <Link to={`/${list}/${String(target)}`}>
      <bdi>{text}</bdi>
    </Link>
  )
}

/**
 * Tells where a value comes from: hosts copy values of their group when they join it, so that the two are compared to find
 * out whether one was changed since. Nothing is told of a group that the caller may not see.
 */
function originOf(host: Host, groups: Chain, { shown, id = shown, given }: Fact): ReactNode {
  if (given === undefined || (host.hostgroup_id !== null && !groups?.length)) return null
  const giver = giverOf(groups, given)
  if (!giver) return isEmpty(host[id]) ? null : t('host.own')
  return (
    <>
      {giver[given] !== host[id] && t('host.differs')} <Owner plural="hostgroups" record={giver} />
    </>
  )
}

/** Finds the group that gives a value: the own one, or the nearest above it with one. */
function giverOf(groups: Chain = [], given: keyof Hostgroup | undefined): ApiRecord | undefined {
  return given === undefined ? undefined : groups.find((group) => !isEmpty(group[given]))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
