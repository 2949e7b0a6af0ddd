import { CardBody, CardTitle, Card as Frame, Skeleton } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { Link } from '../../shell/link.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'

interface CardProps {
  readonly title: string
  readonly error: unknown
  readonly retry: () => void
  readonly isLoading: boolean
  /** A card without anything to show takes no room. */
  readonly isEmpty?: boolean
  readonly children: ReactNode
}

/** A card of the dashboard; an error in it does not affect the others. */
export function Card({ title, error, retry, isLoading, isEmpty = false, children }: CardProps) {
  if (isEmpty && !error) return null
  return (
    <Frame isFullHeight component="section" aria-label={title}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        {Boolean(error) && <ProblemAlert error={error} retry={retry} />}
        {!error && isLoading && <Skeleton height="8rem" screenreaderText={t('app.loading')} />}
        {!error && !isLoading && children}
      </CardBody>
    </Frame>
  )
}

export interface Bar {
  readonly title: string
  readonly count: number
  /** The address of the list that the figure counts. */
  readonly to: string
  readonly kind?: 'good' | 'warning' | 'bad'
}

interface BarsProps {
  readonly bars: readonly Bar[]
}

/** Figures as bars; each links to the records that it counts. */
export function Bars({ bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <ul className="mw-bars">
      {bars.map(({ title, count, to, kind }) => (
        <li key={`${title} ${to}`}>
          <Link to={to} className="mw-bar">
            <bdi className="mw-bar-title">{title}</bdi>
            <span className="mw-bar-count">{formatNumber(count)}</span>
            <svg className="mw-bar-drawing" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect className="mw-bar-ground" width="100" height="4" />
              <rect className={`mw-bar-filled mw-${kind ?? 'plain'}`} width={(count / most) * 100} height="4" />
            </svg>
          </Link>
        </li>
      ))}
    </ul>
  )
}
