import { EmptyState, EmptyStateBody } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { SearchField } from '../../resources/list/search-field.tsx'
import { useListView } from '../../resources/list/view.ts'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { Pagination } from '../../shell/patternfly-parts.tsx'
import { Problem } from '../../shell/problem.tsx'
import { nameOf, t } from '../../words/words.ts'
import { type Host, quoteValue } from './host.ts'

interface FactsProps {
  readonly host: Host
}

/** Shows the facts of a host; each value links to the hosts with an equal one. */
export function Facts({ host }: FactsProps) {
  const [view, change] = useListView()
  const { search, page, perPage } = view
  const { data, error, refetch } = useQuery({
    queryKey: ['host', 'facts', host.id, search, page, perPage],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/hosts/{id}/facts', {
          params: {
            path: { id: String(host.id) },
            query: { ...(search !== '' && { search }), page: String(page), per_page: String(perPage) },
          },
          signal,
        })
      ).data,
  })
  const isSearchError = error instanceof ApiError && error.position !== null
  if (error && !isSearchError) return <Problem error={error} retry={() => void refetch()} />
  const facts = Object.values((data?.results ?? {}) as Record<string, Record<string, unknown>>).flatMap(Object.entries)
  return (
    <>
      <SearchField
        what={nameOf('fact_values', 'many')}
        completion={null}
        search={search}
        error={error}
        onSearch={(next) => change({ search: next })}
      />
      {!data && !error && <Loading />}
      {data && facts.length === 0 && (
        <EmptyState headingLevel="h2" titleText={search === '' ? t('host.facts.none') : t('list.nothing')}>
          {search === '' && <EmptyStateBody>{t('host.facts.none.text')}</EmptyStateBody>}
        </EmptyState>
      )}
      {data && facts.length > 0 && (
        <>
          <Table aria-label={t('host.facts')} variant="compact">
            <Thead>
              <Tr>
                <Th>{t('host.what')}</Th>
                <Th>{t('host.value')}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {facts.map(([name, value]) => (
                <Tr key={name}>
                  <Th dataLabel={t('host.what')} scope="row">
                    <bdi>{name}</bdi>
                  </Th>
                  <Td dataLabel={t('host.value')} className="mw-value">
                    {value !== null && (
                      <Link
                        to={`/hosts?search=${encodeURIComponent(`${quoteValue(`facts.${name}`)} = ${quoteValue(String(value))}`)}`}
                        aria-label={t('host.facts.same', { name, value: String(value) })}
                      >
                        <bdi>{String(value)}</bdi>
                      </Link>
                    )}
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
          <Pagination
            itemCount={data.subtotal}
            page={page}
            perPage={perPage}
            onSetPage={(_event, next) => change({ page: next })}
            onPerPageSelect={(_event, next) => change({ perPage: next })}
            variant="bottom"
          />
        </>
      )}
    </>
  )
}
