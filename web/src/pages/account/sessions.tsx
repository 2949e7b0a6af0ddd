import { Button, Label } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { components } from '../../generated/api.d.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { notify } from '../../shell/notices.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, formatTime, labelOf, t } from '../../words/words.ts'
import { describeProgram } from './program.ts'

type Session = components['schemas']['Session']

const KEY = ['account', 'sessions']
const SHOWN = '50'

/** Lists the caller's sessions; others than the present one can be ended. */
export function Sessions() {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/current_user/sessions', { params: { query: { per_page: SHOWN } }, signal })).data,
  })
  const end = useMutation({
    mutationFn: async (which: Session | 'others') => {
      if (which === 'others') await api.DELETE('/api/current_user/sessions')
      else await api.DELETE('/api/current_user/sessions/{id}', { params: { path: { id: String(which.id) } } })
    },
    onError: (caught) => notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  const hasOthers = data?.results.some(({ current }) => !current) === true
  return (
    <section aria-label={t('account.sessions')} className="mw-related">
      <h2 className="pf-v6-c-title pf-m-lg">{t('account.sessions')}</h2>
      <p>{t('account.sessions.text')}</p>
      <Awaited data={data} error={error} refetch={refetch} />
      {data && (
        <Table aria-label={t('account.sessions')} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('account.program')}</Th>
              <Th>{labelOf('address')}</Th>
              <Th>{t('account.begun')}</Th>
              <Th>{t('account.used')}</Th>
              <Th screenReaderText={t('list.actions')} />
            </Tr>
          </Thead>
          <Tbody>
            {data.results.map((session) => (
              <Row key={session.id} session={session} isBusy={end.isPending} end={() => end.mutate(session)} />
            ))}
          </Tbody>
        </Table>
      )}
      {data && data.total > data.results.length && (
        <p>{t('account.sessions.more', { count: formatNumber(data.total) })}</p>
      )}
      {hasOthers && (
        <Button variant="secondary" isDanger isDisabled={end.isPending} onClick={() => end.mutate('others')}>
          {t('account.sessions.endOthers')}
        </Button>
      )}
    </section>
  )
}

interface RowProps {
  readonly session: Session
  readonly isBusy: boolean
  readonly end: () => void
}

function Row({ session: { user_agent, address, created_at, last_seen_at, current }, isBusy, end }: RowProps) {
  const program = describeProgram(user_agent) ?? t('account.program.unknown')
  return (
    <Tr>
      <Td dataLabel={t('account.program')} title={user_agent ?? undefined}>
        <bdi>{program}</bdi>{' '}
        {current && (
          <Label isCompact color="green">
            {t('account.session.this')}
          </Label>
        )}
      </Td>
      <Td dataLabel={labelOf('address')}>{address ?? '–'}</Td>
      <Td dataLabel={t('account.begun')}>{formatTime(created_at)}</Td>
      <Td dataLabel={t('account.used')}>{formatTime(last_seen_at)}</Td>
      <Td>
        {!current && (
          <Button
            variant="secondary"
            isDanger
            size="sm"
            isDisabled={isBusy}
            onClick={end}
            aria-label={t('account.session.end.of', { program, time: formatTime(created_at) })}
          >
            {t('account.session.end')}
          </Button>
        )}
      </Td>
    </Tr>
  )
}
