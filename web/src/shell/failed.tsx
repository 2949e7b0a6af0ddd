import { EmptyState, EmptyStateBody, PageSection } from '@patternfly/react-core'
import { useRouteError } from 'react-router'
import { t } from '../words/words.ts'
import { Link } from './link.tsx'
import { Problem } from './problem.tsx'
import { useTitle } from './title.ts'

interface FailedProps {
  readonly isUnknown?: boolean
}

/** Replaces a page that does not exist, or that failed. */
export function Failed({ isUnknown = false }: FailedProps) {
  const error = useRouteError()
  useTitle(isUnknown ? t('error.unknown.page') : t('error.page'))
  return (
    <PageSection>
      {isUnknown ? (
        <EmptyState titleText={t('error.unknown.page')} headingLevel="h1">
          <EmptyStateBody>
            <Link to="/">{t('dashboard.title')}</Link>
          </EmptyStateBody>
        </EmptyState>
      ) : (
        <Problem error={error} headingLevel="h1" retry={() => location.reload()} />
      )}
    </PageSection>
  )
}
