import { Card, CardBody, CardTitle } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { t } from '../words/words.ts'
import { Spinner } from './patternfly.tsx'

interface PanelProps {
  readonly title: string
  /** What it shows is being fetched again. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}

/** A part of a page with a title of its own, which names it for readers too. */
export function Panel({ title, isBusy = false, children }: PanelProps) {
  return (
    <Card component="section" aria-label={title}>
      <CardTitle component="h2">
        {title}
        {isBusy && (
          <>
            {' '}
            <Spinner size="md" aria-label={t('app.loading')} />
          </>
        )}
      </CardTitle>
      <CardBody>{children}</CardBody>
    </Card>
  )
}
