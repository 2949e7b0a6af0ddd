import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { may, useCaller } from '../../api/session.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import { type ApiRecord, recordsOf } from '../../resources/resources.ts'
import { Link } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { nameOf, t } from '../../words/words.ts'

/** A place in which a template is used: the records that name it, and a search of the hosts there. */
interface Place {
  readonly records: readonly { readonly plural: string; readonly id: number; readonly name: string }[]
  readonly search: string
}

/** Lists where a template is used, with links to the records and to the hosts there. */
export function Usage({ record }: AboveProps) {
  const mayView = may(useCaller(), ['view_hosts'])
  const places = listPlaces(record)
  if (record.snippet === true) return null
  return (
    <Panel title={t('template.usage')}>
      {places.length === 0 && <p>{t('template.unused')}</p>}
      {places.length > 0 && (
        <Table aria-label={t('template.usage')} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('template.place')}</Th>
              {mayView && <Th>{nameOf('hosts', 'many')}</Th>}
            </Tr>
          </Thead>
          <Tbody>
            {places.map(({ records, search }) => (
              <Tr key={search}>
                <Td dataLabel={t('template.place')}>
                  {records.map(({ plural, id, name }) => (
                    <div key={plural}>
                      {nameOf(plural, 'one')}{' '}
                      <Link to={`/${plural}/${id}`}>
                        <bdi>{name}</bdi>
                      </Link>
                    </div>
                  ))}
                </Td>
                {mayView && (
                  <Td dataLabel={nameOf('hosts', 'many')}>
                    <Link
                      to={`/hosts?search=${encodeURIComponent(search)}`}
                      aria-label={`${t('template.hosts')}: ${records.map(({ name }) => name).join(', ')}`}
                    >
                      {t('template.hosts')}
                    </Link>
                  </Td>
                )}
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </Panel>
  )
}

const KINDS = { hostgroup: 'hostgroups', environment: 'environments', operatingsystem: 'operatingsystems' } as const

function listPlaces(record: ApiRecord): readonly Place[] {
  const bound = ['template_combinations', 'os_default_templates'].flatMap((key) => recordsOf(record[key] ?? []))
  const own = record.layout === undefined ? [] : recordsOf(record.operatingsystems ?? []).map(nameSystem)
  return [...bound, ...own].map((one) => {
    const named = Object.entries(KINDS).filter(([kind]) => typeof one[`${kind}_id`] === 'number')
    return {
      records: named.map(([kind, plural]) => ({
        plural,
        id: Number(one[`${kind}_id`]),
        name: String(one[`${kind}_name`]),
      })),
      search: [
        ...named.map(([kind]) => `${kind}_id = ${String(one[`${kind}_id`])}`),
        ...(record.layout === undefined ? [] : [`ptable = ${JSON.stringify(record.name)}`]),
      ].join(' and '),
    }
  })
}

function nameSystem({ id, title }: ApiRecord): ApiRecord {
  return { operatingsystem_id: id, operatingsystem_name: title }
}
