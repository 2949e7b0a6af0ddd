import {
  Button,
  Form,
  FormGroup,
  List,
  ListItem,
  ModalBody,
  ModalFooter,
  Progress,
  TextInput,
} from '@patternfly/react-core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { Alert } from '../../shell/patternfly.tsx'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { type ApiRecord, textOf, type Where } from '../resources.ts'
import { attemptEach, type BatchOperation } from './batch.ts'
import type { Chosen } from './chosen.ts'
import { Refusals } from './refusals.tsx'

interface CourseDialogProps {
  readonly where: Where
  readonly chosen: Chosen
  readonly title: string
  /** The question before the operation begins. */
  readonly question: ReactNode
  /** The label of the button that starts it. */
  readonly action: string
  readonly isDanger?: boolean
  /** What has to be typed before it can be started. */
  readonly confirmation?: Confirmation
  /** Whether it can be started. */
  readonly isReady?: boolean
  readonly operationOf: (record: ApiRecord) => BatchOperation
  /** Whether these writes cannot be part of a batch. */
  readonly isAlone: boolean
  readonly words: { readonly summary: (done: string, failed: string) => string; readonly done: string }
  readonly close: () => void
  readonly onDone?: (ended: Ended) => void
}

/** A text that the user types to confirm what cannot be undone. */
export interface Confirmation {
  readonly text: string
  /** The label of the field. */
  readonly label: string
}

/** The result of the operation. */
export interface Ended {
  readonly done: ReadonlySet<number>
  readonly refused: ReadonlySet<number>
  /** False when it was cancelled before all records were tried. */
  readonly isWhole: boolean
}

interface CourseOutcome {
  readonly record: ApiRecord
  /** The reason of a refusal; null when the record was written. */
  readonly refusal: string | null
}

interface Course {
  readonly done: readonly CourseOutcome[]
  readonly refused: readonly CourseOutcome[]
}

const SHOWN = 200

/** Writes many records in portions, continues after refused ones, and shows the result for each. */
export function CourseDialog(props: CourseDialogProps) {
  const { where, chosen, title, question, action, isDanger, confirmation, isReady = true, words, close, onDone } = props
  const [{ done, refused }, setCourse] = useState<Course>({ done: [], refused: [] })
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [error, setError] = useState<unknown>(null)
  const [typed, setTyped] = useState('')
  const isConfirmed = confirmation === undefined || plainOf(typed) === plainOf(confirmation.text)
  const cancelled = useRef(false)
  const queries = useQueryClient()
  const tried = done.length + refused.length
  const untried = chosen.count - tried

  async function run() {
    setState('running')
    setError(null)
    cancelled.current = false
    const course = { done: [...done], refused: [] as CourseOutcome[] }
    const isWhole = await follow(props, { cancelled, done: idsOf(done) }, (outcomes) => {
      for (const one of outcomes) (one.refusal === null ? course.done : course.refused).push(one)
      setCourse({ done: [...course.done], refused: [...course.refused] })
    }).catch((caught: unknown) => {
      setError(caught)
      return false
    })
    setState('done')
    onDone?.({ done: idsOf(course.done), refused: idsOf(course.refused), isWhole })
    await queries.invalidateQueries()
  }

  // Refused records come first, because they need attention.
  const shown: readonly CourseOutcome[] =
    state === 'asking' ? chosen.first.map((record) => ({ record, refusal: null })) : [...refused, ...done]
  const rest = (state === 'asking' ? chosen.count : shown.length) - Math.min(SHOWN, shown.length)
  return (
    <Modal isOpen variant="medium" onClose={state === 'running' ? undefined : close} aria-labelledby="course-title">
      <ModalHeader title={title} labelId="course-title" {...(isDanger && { titleIconVariant: 'warning' })} />
      {/* Makes a list longer than the window scrollable with keys. */}
      <ModalBody tabIndex={0} role="region" aria-label={title}>
        {state === 'asking' && question}
        {state === 'asking' && isReady && !props.isAlone && (
          <Refusals where={where} records={chosen.first} operationOf={props.operationOf} />
        )}
        {state === 'asking' && confirmation && (
          <Form
            onSubmit={(event) => {
              event.preventDefault()
              if (isReady && isConfirmed) void run()
            }}
          >
            <FormGroup label={confirmation.label} fieldId="course-confirmation">
              <p>
                <bdi className="mw-code">{confirmation.text}</bdi>
              </p>
              <TextInput
                id="course-confirmation"
                value={typed}
                autoComplete="off"
                onChange={(_event, next) => setTyped(next)}
              />
            </FormGroup>
          </Form>
        )}
        {state === 'running' && (
          <Progress
            aria-label={title}
            value={(tried / Math.max(chosen.count, 1)) * 100}
            label={t('course.progress', { done: formatNumber(tried), total: formatNumber(chosen.count) })}
          />
        )}
        {error !== null && (
          <Alert variant="danger" isInline title={wordsOfProblem(error).title}>
            {wordsOfProblem(error).text}
          </Alert>
        )}
        {state === 'done' && (
          <p role="status">
            {words.summary(formatNumber(done.length), formatNumber(refused.length))}
            {untried > 0 && `, ${t('course.untried', { count: formatNumber(untried) })}`}
          </p>
        )}
        <List isPlain>
          {shown.slice(0, SHOWN).map(({ record, refusal }) => (
            <ListItem key={String(record.id)} className="mw-breaks">
              <strong>
                <bdi>{textOf(record, where.resource)}</bdi>
              </strong>{' '}
              {state !== 'asking' && (refusal ?? words.done)}
            </ListItem>
          ))}
        </List>
        {rest > 0 && <p>{t('course.more', { count: formatNumber(rest) })}</p>}
      </ModalBody>
      <ModalFooter>
        {state === 'asking' && (
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            isDisabled={!isReady || !isConfirmed}
            onClick={() => void run()}
          >
            {action}
          </Button>
        )}
        {state === 'done' && (
          <Button variant={untried + refused.length > 0 ? 'secondary' : 'primary'} onClick={close}>
            {t('action.close')}
          </Button>
        )}
        {state === 'done' && untried + refused.length > 0 && (
          <Button variant="link" onClick={() => void run()}>
            {t('course.again')}
          </Button>
        )}
        {state !== 'done' && (
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

/** Yields a text as people type it: without what cannot be seen, and with one space for several. */
function plainOf(text: string): string {
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

interface Ways {
  readonly cancelled: { readonly current: boolean }
  /** Records that are written already and not tried again. */
  readonly done: ReadonlySet<number>
}

/** Writes one portion after another until the user cancels; yields whether all were tried. */
async function follow(
  { chosen, operationOf, isAlone }: CourseDialogProps,
  { cancelled, done }: Ways,
  report: (outcomes: readonly CourseOutcome[]) => void,
): Promise<boolean> {
  for await (const all of chosen.portions()) {
    const portion = all.filter(({ id }) => !done.has(Number(id)))
    const size = isAlone ? 1 : portion.length
    for (let start = 0; start < portion.length; start += size) {
      if (cancelled.current) return false
      const records = portion.slice(start, start + size)
      const refusals = await attemptEach(records.map(operationOf), isAlone)
      report(records.map((record, place) => ({ record, refusal: refusals[place] ?? null })))
    }
  }
  return true
}

function idsOf(outcomes: readonly CourseOutcome[]): ReadonlySet<number> {
  return new Set(outcomes.map(({ record }) => Number(record.id)))
}
