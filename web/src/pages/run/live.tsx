import { Button } from '@patternfly/react-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { BASE, sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import { Link } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/panel.tsx'
import { Alert, Spinner } from '../../shell/patternfly.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type Piece, type RunState, useFollowed } from './follow.ts'
import { State } from './state.tsx'

/** Shows the output of a run while it goes on, and its state. */
export function Live({ record }: AboveProps) {
  const id = Number(record.id)
  const queries = useQueryClient()
  const { state, pieces, connection, again } = useFollowed(id, () => {
    void queries.invalidateQueries({ queryKey: ['record'] })
  })
  const now = state ?? (record as unknown as RunState) // the answer of a run has all these keys
  const hasEnded = !['queued', 'running'].includes(now.status)
  const title = t('follow.output')
  return (
    <Panel title={title}>
      <div className="mw-states" role="status">
        <State word={now.status} />
        {!hasEnded && connection === 'open' && <Spinner size="md" aria-label={t(`run.${wordOf(now.status)}`)} />}
        <Facts state={now} attempts={Number(record.attempts)} />
      </div>
      {now.message !== null && (
        <Alert variant={now.status === 'failed' ? 'danger' : 'info'} isInline title={now.message} />
      )}
      {connection === 'lost' && (
        <Alert
          variant="warning"
          isInline
          title={t('follow.lost')}
          actionLinks={
            <Button variant="link" isInline onClick={again}>
              {t('follow.again')}
            </Button>
          }
        />
      )}
      <Output pieces={pieces} isOver={connection === 'ended'} />
      <div className="mw-states">
        {!hasEnded && <Cancel id={id} />}
        <a href={`${BASE}api/config_runs/${id}/output`}>{t('follow.file')}</a>
        {record.rollout_id !== null && (
          <Link to={`/config_rollouts/${String(record.rollout_id)}`}>{t('follow.rollout')}</Link>
        )}
      </div>
    </Panel>
  )
}

function wordOf(status: string): 'queued' | 'running' {
  return status === 'queued' ? 'queued' : 'running'
}

interface FactsProps {
  readonly state: RunState
  readonly attempts: number
}

function Facts({ state: { attempt, started_at, finished_at, exit_status }, attempts }: FactsProps) {
  const seconds = started_at === null || finished_at === null ? null : computeSecondsBetween(started_at, finished_at)
  return (
    <>
      {attempt > 1 && <span>{t('follow.attempt', { attempt, attempts })}</span>}
      {seconds !== null && <span>{t('follow.took', { count: formatNumber(seconds) })}</span>}
      {exit_status !== null && <span>{t('follow.exit', { status: exit_status })}</span>}
    </>
  )
}

/** Computes the seconds between two times of the API, in either of its formats. */
export function computeSecondsBetween(first: string, last: string): number {
  const [start, end] = [first, last].map((text) => Date.parse(text.replace(/ (\S+) UTC$/, 'T$1Z')))
  return Math.max(0, Math.round(((end ?? 0) - (start ?? 0)) / 100) / 10)
}

interface OutputProps {
  readonly pieces: readonly Piece[]
  readonly isOver: boolean
}

/** Shows the output and keeps its end in view, unless the user has scrolled up. */
function Output({ pieces, isOver }: OutputProps) {
  const box = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every piece makes it longer
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight
  }, [pieces])
  return (
    <pre
      ref={box}
      className="mw-code mw-output"
      role="log"
      aria-label={t('follow.output')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with keys, too
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4
      }}
    >
      {pieces.length === 0 && <span className="mw-hint">{isOver ? t('follow.silent') : t('follow.waiting')}</span>}
      {pieces.map(({ number, stream, text }) => (
        <span key={number} className={stream === 'stderr' ? 'mw-stderr' : undefined}>
          {text}
        </span>
      ))}
    </pre>
  )
}

interface CancelProps {
  readonly id: number
}

function Cancel({ id }: CancelProps) {
  const caller = useCaller()
  const cancel = useMutation({
    mutationFn: () => sendRequest(`/api/config_runs/${id}/cancel`, { method: 'PUT' }),
    onSuccess: () => notify('info', t('follow.cancelled')),
    onError: (error) => notify('danger', wordsOfProblem(error).title, wordsOfProblem(error).text),
  })
  if (!may(caller, ['configrun_hosts'])) return null
  return (
    <Button variant="secondary" isDisabled={cancel.isPending} onClick={() => cancel.mutate()}>
      {t('follow.cancel')}
    </Button>
  )
}
