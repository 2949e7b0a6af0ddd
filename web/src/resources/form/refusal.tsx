import { Button } from '@patternfly/react-core'
import { ApiError } from '../../api/error.ts'
import { Alert } from '../../shell/patternfly.tsx'
import { mayPass, wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { Messages } from './values.ts'

interface RefusalProps {
  readonly error: unknown
  /** The messages that stand at fields. */
  readonly messages: Messages
  /** Those that belong to no field of the form. */
  readonly others: Messages
  readonly retry: () => void
}

/** Shows the messages of a refused request that belong to no field of the form. */
export function Refusal({ error, messages, others: all, retry }: RefusalProps) {
  const { title, text: plain } = wordsOfProblem(error)
  // What is missing is not this record, but something that the values refer to: the API says what.
  const text = error instanceof ApiError && error.problem === 'missing' ? error.message : plain
  const others = Object.entries(all)
  const count = Object.keys(messages).length
  return (
    <Alert
      variant="danger"
      isInline
      title={count > 0 ? t('form.errors', { count }) : title}
      role="alert"
      actionLinks={
        mayPass(error) && (
          <Button variant="secondary" onClick={retry}>
            {t('action.retry')}
          </Button>
        )
      }
    >
      {count === 0 && others.length === 0 && text}
      {others.map(([key, said]) => (
        <p key={key}>
          {key === 'base' ? '' : `${labelOf(key)}: `}
          {said.join(', ')}
        </p>
      ))}
    </Alert>
  )
}
