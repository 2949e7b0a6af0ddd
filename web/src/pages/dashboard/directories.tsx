import { Label, List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { Link } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'
import { Card } from './card.tsx'

const SHOWN = '5'
const FRESH_MS = 600_000

/** Shows whether people can log in through each directory; callers who may not test directories only see their names. */
export function Directories() {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'directories', scopeOf(parameters)],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/auth_source_ldaps', { params: { query: { per_page: SHOWN } }, signal })).data,
  })
  return (
    <Card title={t('dashboard.directories')} error={error} retry={() => void refetch()} isLoading={!data}>
      {data?.results.length === 0 && <p>{t('dashboard.directories.none')}</p>}
      <List isPlain>
        {data?.results.map(({ id, name }) => (
          <ListItem key={id}>
            <Link to={`/auth_source_ldaps/${id}`}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <Health id={id} />
          </ListItem>
        ))}
      </List>
    </Card>
  )
}

interface HealthProps {
  readonly id: number
}

function Health({ id }: HealthProps) {
  const mayTest = may(useCaller(), ['edit_authenticators'])
  const { data, error } = useQuery({
    queryKey: ['dashboard', 'directory', id],
    enabled: mayTest,
    staleTime: FRESH_MS,
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await api.PUT('/api/auth_source_ldaps/{id}/test', {
          params: { path: { id: String(id) } },
          body: { auth_source_ldap: {} },
          signal,
        })
      ).data,
  })
  if (!mayTest) return null
  if (error) return <Label isCompact>{t('dashboard.untested')}</Label>
  if (!data) return <Label isCompact>{t('dashboard.testing')}</Label>
  return data.success ? (
    <Label isCompact color="green">
      {t('dashboard.working')}
    </Label>
  ) : (
    <>
      <Label isCompact color="red">
        {t('dashboard.broken')}
      </Label>{' '}
      {data.message}
    </>
  )
}
