import { List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { Link } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'
import { Card } from './card.tsx'

const MOST = '5'
const FRESH_MS = 600_000

interface Broken {
  readonly id: number
  readonly name: string
  readonly message: string
}

/** Tests the first directories, and shows those through which nobody can log in. */
export function Directories() {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'directories', scopeOf(parameters)],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => {
      const list = await api.GET('/api/auth_source_ldaps', { params: { query: { per_page: MOST } }, signal })
      const tested = (list.data?.results ?? []).map((one) => testDirectory(one, signal))
      return (await Promise.all(tested)).filter((one) => one !== null)
    },
  })
  return (
    <Card
      title={t('dashboard.directories')}
      error={error}
      retry={() => void refetch()}
      isLoading={false}
      isEmpty={!data?.length}
    >
      <List isPlain>
        {data?.map(({ id, name, message }) => (
          <ListItem key={id}>
            <Link to={`/auth_source_ldaps/${id}`}>
              <bdi>{name}</bdi>
            </Link>{' '}
            {message}
          </ListItem>
        ))}
      </List>
    </Card>
  )
}

async function testDirectory(
  { id, name }: { readonly id: number; readonly name: string },
  signal: AbortSignal,
): Promise<Broken | null> {
  const { data } = await api.PUT('/api/auth_source_ldaps/{id}/test', {
    params: { path: { id: String(id) } },
    body: { auth_source_ldap: {} },
    signal,
  })
  return !data || data.success ? null : { id, name, message: data.message }
}
