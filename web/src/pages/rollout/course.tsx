import { Button, Gallery, Progress } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { components } from '../../generated/api.d.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import { Awaited } from '../../shell/awaited.tsx'
import { Link } from '../../shell/link.tsx'
import { Loading } from '../../shell/loading.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/panel.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { Problem, wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, formatTime, labelOf, nameOf, t } from '../../words/words.ts'
import { State } from '../run/state.tsx'
import { Past } from './past.tsx'

type Rollout = components['schemas']['ConfigRollout']

const STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
const ASKED_MS = 2000
const SHOWN = '10'

/** Shows the progress of a rollout until it has ended, and the runs that failed first. */
export function Course({ record }: AboveProps) {
  const id = String(record.id)
  const { data, error, refetch } = useQuery({
    queryKey: ['rollout', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/config_rollouts/{id}', { params: { path: { id } }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? ASKED_MS : false),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <Gallery hasGutter minWidths={{ default: '100%', lg: '360px' }} className="mw-cards">
        <Far rollout={data} />
        <Past current={data} />
      </Gallery>
      <FailedFirst rollout={data} />
    </>
  )
}

interface RolloutProps {
  readonly rollout: Rollout
}

function Far({ rollout }: RolloutProps) {
  const all = STATES.reduce((sum, state) => sum + rollout[state], 0)
  const done = all - rollout.queued - rollout.running
  const title = t('rollout.progress')
  return (
    <Panel title={title}>
      <div role="status">
        <State word={rollout.status} />
        <Progress
          aria-label={title}
          title={t('rollout.ended', { done: formatNumber(done), all: formatNumber(all) })}
          value={all === 0 ? 100 : Math.floor((done / all) * 100)}
          variant={rollout.failed > 0 ? 'danger' : rollout.status === 'finished' ? 'success' : undefined}
        />
      </div>
      {rollout.message !== null && <Alert variant="warning" isInline title={rollout.message} />}
      <ul className="mw-bars">
        {STATES.map((state) => (
          <li key={state} className="mw-bar">
            <Link to={runsOf(rollout, state)} className="mw-bar-title">
              {t(`run.${state}`)}
            </Link>
            <span>{formatNumber(rollout[state])}</span>
          </li>
        ))}
      </ul>
      {rollout.joined > 0 && <p>{t('rollout.joined', { count: formatNumber(rollout.joined) })}</p>}
      {rollout.skipped > 0 && <p>{t('rollout.skipped', { count: formatNumber(rollout.skipped) })}</p>}
      {rollout.status === 'running' && <Cancel rollout={rollout} />}
    </Panel>
  )
}

function runsOf({ id }: Rollout, state: string): string {
  return `/config_rollouts/${id}/config_runs?search=${encodeURIComponent(`status = ${state}`)}`
}

function Cancel({ rollout: { id } }: RolloutProps) {
  const caller = useCaller()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => sendRequest(`/api/config_rollouts/${id}/cancel`, { method: 'PUT' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['rollout', String(id)] }),
    onError: (error) => notify('danger', wordsOfProblem(error).title, wordsOfProblem(error).text),
  })
  if (!may(caller, ['configrun_hosts'])) return null
  return (
    <Button variant="secondary" isDisabled={cancel.isPending} onClick={() => cancel.mutate()}>
      {t('rollout.cancel')}
    </Button>
  )
}

/** Shows the first failures, which usually cause the others. */
function FailedFirst({ rollout }: RolloutProps) {
  const { id, failed } = rollout
  const { data, error, refetch } = useQuery({
    queryKey: ['rollout', 'failed', id, failed],
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/config_rollouts/{config_rollout_id}/config_runs', {
          params: {
            path: { config_rollout_id: String(id) },
            query: { search: 'status = failed', order: 'finished_at ASC', per_page: SHOWN },
          },
          signal,
        })
      ).data,
  })
  const title = t('rollout.failed')
  return (
    <Panel title={title}>
      <Awaited data={data} error={error} refetch={refetch} />
      {data?.results.length === 0 && <p>{t('rollout.failed.none')}</p>}
      {data && data.results.length > 0 && (
        <div className="mw-scroll">
          <Table aria-label={title} variant="compact">
            <Thead>
              <Tr>
                <Th>{nameOf('hosts', 'one')}</Th>
                <Th>{labelOf('exit_status')}</Th>
                <Th>{labelOf('message')}</Th>
                <Th>{t('history.when')}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {data.results.map((run) => (
                <Tr key={run.id}>
                  <Td dataLabel={nameOf('hosts', 'one')}>
                    <Link to={`/config_runs/${run.id}`}>
                      <bdi>{run.host_name}</bdi>
                    </Link>
                  </Td>
                  <Td dataLabel={labelOf('exit_status')}>{run.exit_status}</Td>
                  <Td dataLabel={labelOf('message')} className="mw-value">
                    {run.message}
                  </Td>
                  <Td dataLabel={t('history.when')}>{run.finished_at !== null && formatTime(run.finished_at)}</Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </div>
      )}
      {failed > 0 && <Link to={runsOf(rollout, 'failed')}>{t('host.all', { count: formatNumber(failed) })}</Link>}
    </Panel>
  )
}
