import { Button, List, ListItem, Modal, ModalBody, ModalFooter, ModalHeader, Progress } from '@patternfly/react-core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { request } from '../../api/client.ts'
import { errorOf } from '../../api/error.ts'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import { type ApiRecord, pathInApi, textOf, type Where } from '../resources.ts'
import type { Selection } from './selection.ts'

interface DeleteDialogProps {
  readonly where: Where
  readonly records: readonly ApiRecord[]
  readonly close: () => void
  /** Told of what is still there. */
  readonly onDone: (left: Selection) => void
}

interface Outcome {
  readonly record: ApiRecord
  /** Why not; null: it is done. */
  readonly refusal: string | null
}

/** So many at once: few enough to see how far it is, and to cancel the rest. */
const PORTION = 50
const SHOWN = 200

/** Deletes records a portion at a time, going on past what is refused, and says what became of each. */
export function DeleteDialog({ where, records, close, onDone }: DeleteDialogProps) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const cancelled = useRef(false)
  const queries = useQueryClient()

  async function run() {
    setState('running')
    const done: Outcome[] = []
    const portion = where.resource.operations.delete?.alone ? 1 : PORTION
    for (let start = 0; start < records.length && !cancelled.current; start += portion) {
      done.push(...(await attempt(where, records.slice(start, start + portion))))
      // What was refused comes first: it is what somebody has to do something about.
      done.sort((one, other) => Number(one.refusal === null) - Number(other.refusal === null))
      setOutcomes([...done])
    }
    setState('done')
    const gone = new Set(done.filter(({ refusal }) => refusal === null).map((one) => Number(one.record.id)))
    onDone(new Set(records.map(({ id }) => Number(id)).filter((id) => !gone.has(id))))
    await queries.invalidateQueries()
  }

  const failed = outcomes.filter(({ refusal }) => refusal !== null).length
  return (
    <Modal isOpen variant="medium" onClose={state === 'running' ? undefined : close} aria-labelledby="delete-title">
      <ModalHeader
        title={t('list.delete', { count: records.length })}
        labelId="delete-title"
        titleIconVariant="warning"
      />
      <ModalBody>
        {state === 'asking' && <p>{t('list.delete.text')}</p>}
        {state === 'running' && (
          <Progress aria-label={t('action.delete')} value={(outcomes.length / records.length) * 100} />
        )}
        {state === 'done' && <p role="status">{t('list.delete.done', { done: outcomes.length - failed, failed })}</p>}
        <List isPlain>
          {(state === 'asking' ? records.map((record) => ({ record, refusal: null })) : outcomes)
            .slice(0, SHOWN)
            .map(({ record, refusal }) => (
              <ListItem key={String(record.id)} className="mw-breaks">
                <strong>
                  <bdi>{textOf(record, where.resource)}</bdi>
                </strong>{' '}
                {state !== 'asking' && (refusal ?? t('list.result.done'))}
              </ListItem>
            ))}
        </List>
      </ModalBody>
      <ModalFooter>
        {state === 'asking' && (
          <Button variant="danger" onClick={() => void run()}>
            {t('action.delete')}
          </Button>
        )}
        {state === 'done' ? (
          <Button onClick={close}>{t('action.close')}</Button>
        ) : (
          <Button
            variant="link"
            onClick={() => {
              if (state === 'running') cancelled.current = true
              else close()
            }}
          >
            {t('action.cancel')}
          </Button>
        )}
      </ModalFooter>
    </Modal>
  )
}

async function attempt(where: Where, records: readonly ApiRecord[]): Promise<Outcome[]> {
  const paths = records.map(({ id }) => pathInApi(where, String(id), 'delete'))
  try {
    const [only = ''] = paths
    const answered = paths.length === 1 ? [await deleteOne(only)] : await deleteAll(paths)
    return records.map((record, place) => ({ record, refusal: refusalOf(answered[place]) }))
  } catch (error) {
    return records.map((record) => ({ record, refusal: textOfProblem(error) }))
  }
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

async function deleteOne(path: string): Promise<Answer> {
  await request(path, { method: 'DELETE' })
  return { status: 200 }
}

async function deleteAll(paths: readonly string[]): Promise<readonly Answer[]> {
  const operations = paths.map((path) => ({ method: 'DELETE', path }))
  const headers = { prefer: 'return=minimal' }
  return (await request('/api/batch', { method: 'POST', body: { operations, atomic: false }, headers })).body.results
}

/** Those that have no answer come behind one that the service could not do. */
function refusalOf(answer: Answer | undefined): string | null {
  if (!answer) return t('list.result.untried')
  return answer.status < 400 ? null : textOfProblem(errorOf(answer.status, answer.body))
}

function textOfProblem(error: unknown): string {
  const { title, text } = wordsOfProblem(error)
  return text || title
}
