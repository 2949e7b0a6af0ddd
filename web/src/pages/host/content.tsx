import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
} from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { Link, LinkButton } from '../../shell/link.tsx'
import { formatTime, labelOf, nameOf, t } from '../../words/words.ts'
import type { Host } from './host.ts'

interface ContentProps {
  readonly host: Host
}

/** Whether a host is registered or belongs to a collection. */
export function hasContent(host: Host): boolean {
  const { content_facet_attributes: content, subscription_facet_attributes: registration, host_collections } = host
  return Boolean(content || registration || host_collections.length > 0)
}

/** Shows the registration of a host, and where it gets its content from. */
export function Content({ host }: ContentProps) {
  const { content_facet_attributes: content, subscription_facet_attributes: registration } = host
  if (!hasContent(host))
    return (
      <EmptyState headingLevel="h2" titleText={t('host.content.none')}>
        <EmptyStateBody>{t('host.content.none.text')}</EmptyStateBody>
        <EmptyStateFooter>
          <EmptyStateActions>
            <LinkButton to="/activation_keys">{nameOf('activation_keys', 'many')}</LinkButton>
          </EmptyStateActions>
        </EmptyStateFooter>
      </EmptyState>
    )
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      labelOf('content_view_environments'),
      content?.content_view_environments.map(({ label, content_view, lifecycle_environment }) => (
        <div key={label}>
          <Link to={`/content_views/${content_view.id}`}>
            <bdi>{content_view.name}</bdi>
          </Link>
          {' · '}
          <Link to={`/lifecycle_environments/${lifecycle_environment.id}`}>
            <bdi>{lifecycle_environment.name}</bdi>
          </Link>
        </div>
      )),
    ],
    [nameOf('host_collections', 'many'), renderLinks('host_collections', host.host_collections)],
    [nameOf('activation_keys', 'many'), registration && renderLinks('activation_keys', registration.activation_keys)],
    [labelOf('registered_at'), registration?.registered_at && formatTime(registration.registered_at)],
    [labelOf('last_checkin'), registration?.last_checkin && formatTime(registration.last_checkin)],
    [labelOf('service_level'), registration?.service_level],
    [labelOf('release_version'), registration?.release_version],
    [labelOf('purpose_usage'), registration?.purpose_usage],
    [labelOf('purpose_role'), registration?.purpose_role],
    [labelOf('purpose_addons'), registration?.purpose_addons.join(', ')],
    [labelOf('subscription_status'), host.subscription_status_label],
  ]
  const isEmpty = (value: ReactNode) =>
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return (
    <DescriptionList isHorizontal isCompact>
      {rows
        .filter(([, value]) => !isEmpty(value))
        .map(([label, value]) => (
          <DescriptionListGroup key={label}>
            <DescriptionListTerm>{label}</DescriptionListTerm>
            <DescriptionListDescription className="mw-value">{value}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
    </DescriptionList>
  )
}

function renderLinks(list: string, records: readonly { readonly id: number; readonly name: string }[]): ReactNode[] {
  return records.map(({ id, name }) => (
    <div key={id}>
      <Link to={`/${list}/${id}`}>
        <bdi>{name}</bdi>
      </Link>
    </div>
  ))
}
