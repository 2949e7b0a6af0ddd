import { Breadcrumb, BreadcrumbItem, Flex, FlexItem, PageBreadcrumb, PageSection, Title } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { t } from '../words/words.ts'
import { Link } from './link.tsx'
import { useTitle } from './title.ts'

interface HeadingProps {
  readonly title: string
  /** The title of the window, where it differs. */
  readonly window?: string
  readonly text?: ReactNode
  /** The pages above this one, the highest first. */
  readonly above?: readonly { readonly to: string; readonly title: string }[]
  readonly actions?: ReactNode
}

/** The heading of every page: its path, title and actions. */
export function Heading({ title, window = title, text, above = [], actions }: HeadingProps) {
  useTitle(window, ...above.map((one) => one.title).reverse())
  return (
    <>
      {above.length > 0 && (
        <PageBreadcrumb>
          <Breadcrumb aria-label={t('app.breadcrumb')}>
            {above.map((one) => (
              <BreadcrumbItem key={one.to}>
                <Link to={one.to}>
                  <bdi>{one.title}</bdi>
                </Link>
              </BreadcrumbItem>
            ))}
            <BreadcrumbItem isActive>
              <bdi>{title}</bdi>
            </BreadcrumbItem>
          </Breadcrumb>
        </PageBreadcrumb>
      )}
      <PageSection>
        <Flex justifyContent={{ default: 'justifyContentSpaceBetween' }} alignItems={{ default: 'alignItemsCenter' }}>
          <FlexItem className="mw-shrinks">
            <Title headingLevel="h1" className="mw-breaks">
              <bdi>{title}</bdi>
            </Title>
            {text && <p className="mw-breaks">{text}</p>}
          </FlexItem>
          {actions && <FlexItem className="mw-actions">{actions}</FlexItem>}
        </Flex>
      </PageSection>
    </>
  )
}
