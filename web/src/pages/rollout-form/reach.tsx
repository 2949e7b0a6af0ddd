import { List, ListItem } from '@patternfly/react-core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api } from '../../api/client.ts'
import type { BesideProps } from '../../resources/form/parts.ts'
import { Link } from '../../shell/link.tsx'
import { Panel } from '../../shell/panel.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'

const SHOWN = '10'

/** Shows how many hosts a search matches, and the first of them, before anything is started. */
export function Reach({ body }: BesideProps) {
  const search = useDeferredValue(String(body.search ?? '').trim())
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['reach', search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/hosts', { params: { query: { search, per_page: SHOWN } }, signal })).data,
  })
  const title = t('rollout.reach')
  return (
    <Panel title={title} isBusy={isFetching}>
      <p>{t('rollout.reach.text')}</p>
      <div role="status">
        {error && <ProblemAlert error={error} retry={() => void refetch()} />}
        {!error && search !== '' && data && (
          <p className="mw-advice">{t('rollout.reach.count', { count: formatNumber(data.subtotal) })}</p>
        )}
      </div>
      {!error && search !== '' && data && (
        <List isPlain>
          {data.results.map(({ id, name }) => (
            <ListItem key={id}>
              <Link to={`/hosts/${encodeURIComponent(name)}`}>
                <bdi>{name}</bdi>
              </Link>
            </ListItem>
          ))}
        </List>
      )}
    </Panel>
  )
}
