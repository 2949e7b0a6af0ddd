import { Label } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { Link, LinkButton } from '../../shell/link.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'
import type { Host } from './host.ts'

interface InterfacesProps {
  readonly host: Host
}

/** Shows the interfaces of a host, the primary one first. */
export function Interfaces({ host }: InterfacesProps) {
  const self = `/hosts/${encodeURIComponent(host.name)}/interfaces`
  return (
    <>
      {host.permissions.edit_hosts && (
        <LinkButton to={`${self}/new`} variant="secondary">
          {t('form.create', { what: nameOf('interfaces', 'one') })}
        </LinkButton>
      )}
      <div className="mw-scroll">
        <Table aria-label={t('host.interfaces')} variant="compact">
          <Thead>
            <Tr>
              {['identifier', 'mac', 'ip', 'ip6', 'subnet', 'domain', 'type'].map((key) => (
                <Th key={key} modifier="nowrap">
                  {labelOf(key)}
                </Th>
              ))}
            </Tr>
          </Thead>
          <Tbody>
            {host.interfaces.map((one) => (
              <Tr key={one.id}>
                <Td dataLabel={labelOf('identifier')}>
                  <Link to={`${self}/${one.id}`}>
                    <bdi>{one.identifier || one.name || one.id}</bdi>
                  </Link>{' '}
                  {one.primary && <Label isCompact>{labelOf('primary')}</Label>}{' '}
                  {one.provision && (
                    <Label isCompact variant="outline">
                      {labelOf('provision')}
                    </Label>
                  )}
                </Td>
                <Td dataLabel={labelOf('mac')}>{one.mac}</Td>
                <Td dataLabel={labelOf('ip')}>{one.ip}</Td>
                <Td dataLabel={labelOf('ip6')}>{one.ip6}</Td>
                <Td dataLabel={labelOf('subnet')}>
                  <Named list="subnets" id={one.subnet_id} name={one.subnet_name} />{' '}
                  <Named list="subnets" id={one.subnet6_id} name={one.subnet6_name} />
                </Td>
                <Td dataLabel={labelOf('domain')}>
                  <Named list="domains" id={one.domain_id} name={one.domain_name} />
                </Td>
                <Td dataLabel={labelOf('type')}>{labelOf(one.type)}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
    </>
  )
}

interface NamedProps {
  readonly list: string
  readonly id: number | null
  readonly name: string | null
}

function Named({ list, id, name }: NamedProps) {
  if (id === null) return null
  return (
    <Link to={`/${list}/${id}`}>
      <bdi>{name}</bdi>
    </Link>
  )
}
