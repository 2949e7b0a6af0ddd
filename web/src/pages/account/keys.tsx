import { Button, EmptyState } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { notify } from '../../shell/notices.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'
import { SmallForm } from './small-form.tsx'

interface KeysProps {
  readonly user: number
}

/** The SSH keys with which the user can log in to hosts that they own. */
export function Keys({ user }: KeysProps) {
  const queries = useQueryClient()
  const queryKey = ['account', 'keys', user]
  const path = { user_id: String(user) }
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/users/{user_id}/ssh_keys', { params: { path, query: { per_page: 'all' } }, signal })).data,
  })
  const remove = useMutation({
    mutationFn: (id: number) =>
      api.DELETE('/api/users/{user_id}/ssh_keys/{id}', { params: { path: { ...path, id: String(id) } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (caught) => notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text),
  })
  async function create({ name = '', key = '' }: Readonly<Record<string, string>>) {
    await api.POST('/api/users/{user_id}/ssh_keys', { params: { path }, body: { ssh_key: { name, key } } })
    await queries.invalidateQueries({ queryKey })
  }
  const title = nameOf('ssh_keys', 'many')
  return (
    <section aria-label={title} className="mw-related">
      <h2 className="pf-v6-c-title pf-m-lg">{title}</h2>
      <p>{t('account.keys.text')}</p>
      <SmallForm
        id="key"
        submit={t('form.create', { what: nameOf('ssh_keys', 'one') })}
        fields={[
          { key: 'name', type: 'text', isRequired: true },
          { key: 'key', type: 'text', isRequired: true },
        ]}
        send={create}
      />
      <Awaited data={data} error={error} refetch={refetch} />
      {data?.results.length === 0 && <EmptyState headingLevel="h3" variant="sm" titleText={t('account.keys.none')} />}
      {data && data.results.length > 0 && (
        <Table aria-label={title} variant="compact">
          <Thead>
            <Tr>
              <Th>{labelOf('name')}</Th>
              <Th>{labelOf('fingerprint')}</Th>
              <Th screenReaderText={t('list.actions')} />
            </Tr>
          </Thead>
          <Tbody>
            {data.results.map(({ id, name, fingerprint }) => (
              <Tr key={id}>
                <Td dataLabel={labelOf('name')}>
                  <bdi>{name}</bdi>
                </Td>
                <Td dataLabel={labelOf('fingerprint')} className="mw-value">
                  {fingerprint}
                </Td>
                <Td>
                  <Button
                    variant="secondary"
                    isDanger
                    size="sm"
                    isDisabled={remove.isPending}
                    onClick={() => remove.mutate(id)}
                    aria-label={t('action.remove', { name })}
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
