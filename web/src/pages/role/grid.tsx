import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useQuery } from '@tanstack/react-query'
import { api, sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { components } from '../../generated/api.d.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import { findResource, findResourceOfType } from '../../resources/resources.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Link, LinkButton } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { Spinner } from '../../shell/patternfly.tsx'
import { formatNumber, nameOf, t } from '../../words/words.ts'

type Filter = components['schemas']['FilterInList']

const SHOWN = '200'

/** Shows the filters of a role: permissions, condition, and the number of matching records. */
export function Grid({ record }: AboveProps) {
  const caller = useCaller()
  const id = String(record.id)
  const mayView = may(caller, ['view_filters'])
  const { data, error, refetch } = useQuery({
    queryKey: ['role', 'filters', id],
    enabled: mayView,
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/roles/{role_id}/filters', {
          params: { path: { role_id: id }, query: { per_page: SHOWN } },
          signal,
        })
      ).data,
  })
  const title = t('may.grants')
  if (!mayView) return null
  return (
    <Panel title={title}>
      {may(caller, ['create_filters']) && (
        <LinkButton to={`/roles/${id}/filters/new`} variant="secondary">
          {t('may.add')}
        </LinkButton>
      )}
      <Awaited data={data} error={error} refetch={refetch} />
      {data?.results.length === 0 && <p>{t('may.nothing')}</p>}
      {data && data.results.length > 0 && (
        <div className="mw-scroll">
          <Table aria-label={title} variant="compact">
            <Thead>
              <Tr>
                <Th>{t('may.kind')}</Th>
                <Th>{nameOf('permissions', 'many')}</Th>
                <Th>{t('may.condition')}</Th>
                <Th>{t('may.matches')}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {data.results.map((filter) => (
                <Row key={filter.id} filter={filter} />
              ))}
            </Tbody>
          </Table>
        </div>
      )}
    </Panel>
  )
}

interface RowProps {
  readonly filter: Filter
}

function Row({ filter: { id, resource_type, permissions, search } }: RowProps) {
  const resource = resource_type === null ? undefined : findResourceOfType(resource_type)
  return (
    <Tr>
      <Th scope="row" dataLabel={t('may.kind')}>
        <Link to={`/filters/${id}`}>
          {resource ? nameOf(resource.plural, 'many') : (resource_type ?? t('may.other'))}
        </Link>
      </Th>
      <Td dataLabel={nameOf('permissions', 'many')} className="mw-value">
        {permissions.map(({ name }) => name).join(', ')}
      </Td>
      <Td dataLabel={t('may.condition')} className="mw-value">
        {search === null ? t('may.all') : <code>{search}</code>}
      </Td>
      <Td dataLabel={t('may.matches')}>{resource && <Count plural={resource.plural} search={search} />}</Td>
    </Tr>
  )
}

interface CountProps {
  readonly plural: string
  readonly search: string | null
}

/** Shows the number of matching records that the caller may see, with a link to them. */
function Count({ plural, search }: CountProps) {
  const caller = useCaller()
  const list = findList(plural)
  const { data, isPending } = useQuery({
    queryKey: ['role', 'count', plural, search],
    enabled: list !== null && may(caller, list.permissions),
    retry: false,
    queryFn: async ({ signal }): Promise<number> =>
      (await sendRequest(list?.path ?? '', { query: { search: search ?? undefined, per_page: 1 }, signal })).body
        .subtotal,
  })
  if (list === null || !may(caller, list.permissions)) return null
  if (isPending) return <Spinner size="md" aria-label={t('app.loading')} />
  if (data === undefined) return t('may.unknown')
  return (
    <Link to={`/${plural}${search === null ? '' : `?search=${encodeURIComponent(search)}`}`}>{formatNumber(data)}</Link>
  )
}

function findList(plural: string) {
  const list = findResource(plural)?.operations.list
  return list === undefined || list.path.includes(':') ? null : list
}
