import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core'
import { ApiError } from '../api/error.ts'
import { t } from '../words/words.ts'
import { Alert } from './patternfly.tsx'

/** Describes an error in a sentence, and what to do in another; for alerts and whole pages. */
export function wordsOfProblem(error: unknown): { readonly title: string; readonly text: string } {
  if (!(error instanceof ApiError)) return { title: t('error.page'), text: error instanceof Error ? error.message : '' }
  const title = t(`error.${error.problem}`)
  switch (error.problem) {
    case 'network':
      return { title, text: t('error.network.text') }
    case 'forbidden': {
      const permissions = error.missingPermissions.join(', ')
      return { title, text: permissions ? t('error.forbidden.text', { permissions }) : error.message }
    }
    case 'missing':
      return { title, text: t('error.missing.text') }
    case 'changed':
      return { title, text: t('error.changed.text') }
    case 'tooLarge':
      return { title, text: t('error.tooLarge.text') }
    case 'unavailable':
      return { title, text: t('error.unavailable.text') }
    case 'fault':
      return { title, text: `${error.message} ${t('error.fault.text', { id: error.requestId ?? '?' })}` }
    default:
      return { title, text: error.message }
  }
}

/** Tells whether repeating the request may succeed. */
export function mayPass(error: unknown): boolean {
  return (
    error instanceof ApiError && ['network', 'unavailable', 'conflict', 'tooLarge', 'fault'].includes(error.problem)
  )
}

interface ProblemProps {
  readonly error: unknown
  readonly retry?: () => void
  /** The heading is that of the page where nothing else is on it. */
  readonly headingLevel?: 'h1' | 'h2'
}

/** Replaces content that could not be loaded with a description of the error. */
export function Problem({ error, retry, headingLevel = 'h2' }: ProblemProps) {
  const { title, text } = wordsOfProblem(error)
  return (
    <EmptyState titleText={title} headingLevel={headingLevel} status="danger" role="alert">
      {text && <EmptyStateBody>{text}</EmptyStateBody>}
      {retry && (
        <EmptyStateFooter>
          <EmptyStateActions>
            <Button variant="primary" onClick={retry}>
              {t('action.retry')}
            </Button>
          </EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  )
}

/** Shows an error inside a part of a page, with another try where that may succeed. */
export function ProblemAlert({ error, retry }: Required<Pick<ProblemProps, 'error' | 'retry'>>) {
  const { title, text } = wordsOfProblem(error)
  const again = (
    <Button variant="link" isInline onClick={retry}>
      {t('action.retry')}
    </Button>
  )
  return (
    <Alert variant="danger" isInline title={title} {...(mayPass(error) && { actionLinks: again })}>
      {text}
    </Alert>
  )
}

interface RefusedProps {
  /** Permissions of which one is needed. */
  readonly permissions: readonly string[]
}

/** Replaces a page that the caller may not see, without sending a request. */
export function Refused({ permissions }: RefusedProps) {
  return <Problem error={new ApiError({ status: 403, message: '', missingPermissions: permissions })} />
}
