import { Button } from '@patternfly/react-core'
import { ApiError } from '../../api/error.ts'
import { Alert } from '../../shell/patternfly.tsx'
import { mayPass, wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { FormField } from '../description.ts'

interface RefusalProps {
  readonly error: unknown
  readonly messages: Readonly<Record<string, readonly string[]>>
  readonly fields: readonly FormField[]
  readonly retry: () => void
}

/** Shows the messages of a refused request that belong to no field of the form. */
export function Refusal({ error, messages, fields, retry }: RefusalProps) {
  const { title, text: said } = wordsOfProblem(error)
  // What is missing is not this record, but something that the values refer to: the API says what.
  const text = error instanceof ApiError && error.problem === 'missing' ? error.message : said
  const shown = new Set(fields.map(({ key }) => key))
  const others = Object.entries(error instanceof ApiError ? error.fields : {}).filter(
    ([key]) => !shown.has(fieldOf(fields, key) ?? ''),
  )
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
      {others.map(([key, all]) => (
        <p key={key}>
          {key === 'base' ? '' : `${labelOf(key)}: `}
          {all.join(', ')}
        </p>
      ))}
    </Alert>
  )
}

/** Finds the field that messages under a key of an answer are about. */
export function fieldOf(fields: readonly FormField[], key: string): string | undefined {
  const singular = key.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
  return [key, `${key}_id`, `${singular}_ids`].find((one) => fields.some((field) => field.key === one))
}
