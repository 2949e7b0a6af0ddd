import { Button, EmptyState } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { loadLoginProviders } from '../../api/session.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { notify } from '../../shell/notices.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'

interface IdentitiesProps {
  readonly user: number
}

/** The logins at providers that lead to the account; nothing where there are no providers. */
export function Identities({ user }: IdentitiesProps) {
  const queries = useQueryClient()
  const queryKey = ['account', 'identities', user]
  const path = { user_id: String(user) }
  const providers = useQuery({ queryKey: ['account', 'providers'], queryFn: loadLoginProviders })
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/users/{user_id}/user_identities', { params: { path, query: { per_page: 'all' } }, signal }))
        .data,
  })
  const onError = (caught: unknown) => notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text)
  const remove = useMutation({
    mutationFn: (id: number) =>
      api.DELETE('/api/users/{user_id}/user_identities/{id}', { params: { path: { ...path, id: String(id) } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError,
  })
  const link = useMutation({
    mutationFn: async (id: number) =>
      (await api.POST('/api/auth_source_oidcs/{id}/link', { params: { path: { id: String(id) } } })).data,
    onSuccess: (begun) => begun && location.assign(begun.url),
    onError,
  })
  if (!providers.data?.length) return null
  const title = nameOf('user_identities', 'many')
  const linked = new Set(data?.results.map(({ auth_source_oidc }) => auth_source_oidc?.id))
  return (
    <section aria-label={title} className="mw-related">
      <h2 className="pf-v6-c-title pf-m-lg">{title}</h2>
      <p>{t('account.identities.text')}</p>
      {providers.data
        .filter(({ id }) => !linked.has(id))
        .map(({ id, name }) => (
          <Button key={id} variant="secondary" isDisabled={link.isPending} onClick={() => link.mutate(id)}>
            {t('account.identities.link', { name })}
          </Button>
        ))}
      <Awaited data={data} error={error} refetch={refetch} />
      {data?.results.length === 0 && (
        <EmptyState headingLevel="h3" variant="sm" titleText={t('account.identities.none')} />
      )}
      {data && data.results.length > 0 && (
        <Table aria-label={title} variant="compact">
          <Thead>
            <Tr>
              <Th>{labelOf('auth_source_oidc')}</Th>
              <Th>{labelOf('subject')}</Th>
              <Th screenReaderText={t('list.actions')} />
            </Tr>
          </Thead>
          <Tbody>
            {data.results.map(({ id, subject, auth_source_oidc }) => (
              <Tr key={id}>
                <Td dataLabel={labelOf('auth_source_oidc')}>
                  <bdi>{auth_source_oidc?.name}</bdi>
                </Td>
                <Td dataLabel={labelOf('subject')} className="mw-value">
                  {subject}
                </Td>
                <Td>
                  <Button
                    variant="secondary"
                    isDanger
                    size="sm"
                    isDisabled={remove.isPending}
                    onClick={() => remove.mutate(id)}
                    aria-label={t('action.remove', { name: subject })}
                  >
                    {t('action.delete')}
                  </Button>
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </section>
  )
}
