import {
  EmptyState,
  EmptyStateActions,
  EmptyStateBody,
  EmptyStateFooter,
  Gallery,
  PageSection,
} from '@patternfly/react-core'
import type { ComponentType } from 'react'
import { may, useCaller } from '../../api/session.ts'
import { Heading } from '../../shell/heading.tsx'
import { LinkButton } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'
import { LastChanges } from './changes.tsx'
import { Failures } from './failures.tsx'
import { HostsByState, HostsOf } from './hosts.tsx'
import { Ill } from './ill.tsx'
import { Keys } from './keys.tsx'
import { RunsByDay } from './runs.tsx'

/** The cards, each with the permissions of which the caller needs one to see it. */
const CARDS: readonly (readonly [permissions: readonly string[], Card: ComponentType])[] = [
  [['view_hosts'], HostsByState],
  [['view_authenticators', 'view_smart_proxies', 'view_settings'], Ill],
  [['view_config_reports'], RunsByDay],
  [['view_config_reports', 'view_config_runs'], Failures],
  [['view_activation_keys'], Keys],
  [['view_hosts'], () => <HostsOf list="operatingsystems" word="os_id" label="title" />],
  [['view_hosts'], () => <HostsOf list="environments" word="environment_id" label="name" />],
  [['view_hosts'], () => <HostsOf list="hostgroups" word="hostgroup_id" label="title" />],
  [['view_audit_logs'], LastChanges],
]

/** The dashboard: the state of everything, each figure with a link to what it counts. */
export function Page() {
  const caller = useCaller()
  const cards = CARDS.filter(([permissions]) => may(caller, permissions))
  return (
    <>
      <Heading
        title={t('start.welcome', { name: caller.name })}
        window={t('dashboard.title')}
        actions={
          <LinkButton to="/start" variant="secondary">
            {t('dashboard.everything')}
          </LinkButton>
        }
      />
      <PageSection>
        {cards.length === 0 && (
          <EmptyState headingLevel="h2" titleText={t('dashboard.none')}>
            <EmptyStateBody>{t('dashboard.none.text')}</EmptyStateBody>
            <EmptyStateFooter>
              <EmptyStateActions>
                <LinkButton to="/start">{t('dashboard.everything')}</LinkButton>
              </EmptyStateActions>
            </EmptyStateFooter>
          </EmptyState>
        )}
        <Gallery hasGutter minWidths={{ default: '100%', md: '360px' }}>
          {cards.map(([, Card], place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cards are always the same, in this order
            <Card key={place} />
          ))}
        </Gallery>
      </PageSection>
    </>
  )
}
