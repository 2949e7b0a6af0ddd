import {
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { LinkButton } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { notify } from '../../shell/notices.tsx'
import { Problem, wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, nameOf, t } from '../../words/words.ts'

interface PreferencesProps {
  readonly user: number
}

/** The caller's preferences: default organization and location, format of times, and columns of lists. */
export function Preferences({ user }: PreferencesProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'user', user],
    queryFn: async ({ signal }) => (await api.GET('/api/current_user', { signal })).data,
  })
  return (
    <section aria-label={t('account.preferences')} className="mw-related">
      <h2 className="pf-v6-c-title pf-m-lg">{t('account.preferences')}</h2>
      <p>{t('account.preferences.text')}</p>
      <Awaited data={data} error={error} refetch={refetch} />
      {data && (
        <DescriptionList isHorizontal isCompact>
          <Chosen label={labelOf('default_organization')} value={data.default_organization?.title} />
          <Chosen label={labelOf('default_location')} value={data.default_location?.title} />
          <Chosen label={labelOf('timezone')} value={data.timezone} />
          <DescriptionListGroup>
            <DescriptionListTerm>{t('account.preferences.columns')}</DescriptionListTerm>
            <DescriptionListDescription>
              <Columns user={user} />
            </DescriptionListDescription>
          </DescriptionListGroup>
        </DescriptionList>
      )}
      <LinkButton to={`/users/${user}/edit`} variant="secondary">
        {t('account.preferences.edit')}
      </LinkButton>
    </section>
  )
}

interface ChosenProps {
  readonly label: string
  readonly value: string | null | undefined
}

function Chosen({ label, value }: ChosenProps) {
  return (
    <DescriptionListGroup>
      <DescriptionListTerm>{label}</DescriptionListTerm>
      <DescriptionListDescription>
        <bdi>{value ?? '–'}</bdi>
      </DescriptionListDescription>
    </DescriptionListGroup>
  )
}

/** Shows for which lists the user has chosen columns, and resets them; they are chosen at the lists themselves. */
function Columns({ user }: PreferencesProps) {
  const queries = useQueryClient()
  const path = { user_id: String(user) }
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'columns', user],
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/users/{user_id}/table_preferences', {
          params: { path, query: { per_page: 'all' } },
          signal,
        })
      ).data,
  })
  const reset = useMutation({
    mutationFn: (id: number) =>
      api.DELETE('/api/users/{user_id}/table_preferences/{id}', { params: { path: { ...path, id: String(id) } } }),
    onError: (caught) => notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text),
    onSettled: () =>
      Promise.all(
        [
          ['account', 'columns', user],
          ['table preferences', user],
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.results.length === 0) return t('account.preferences.columns.none')
  return (
    <ul>
      {data.results.map(({ id, name, columns }) => (
        <li key={id}>
          <bdi>{nameOf(name, 'many')}</bdi>: <bdi>{columns.map(labelOf).join(', ')}</bdi>{' '}
          <Button
            variant="link"
            isInline
            isDisabled={reset.isPending}
            onClick={() => reset.mutate(id)}
            aria-label={t('account.preferences.reset', { what: nameOf(name, 'many') })}
          >
            {t('action.delete')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
