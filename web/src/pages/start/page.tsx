import { Card, CardBody, CardTitle, EmptyState, Gallery, List, ListItem, PageSection } from '@patternfly/react-core'
import { useCaller } from '../../api/session.ts'
import { Heading } from '../../shell/heading.tsx'
import { Link } from '../../shell/link.tsx'
import { entriesOf, GROUPS } from '../../shell/navigation.tsx'
import { t } from '../../words/words.ts'

/** The start page, which lists what the caller may see. */
export function Page() {
  const caller = useCaller()
  const groups = GROUPS.map((group) => ({ group, entries: entriesOf(group, caller) })).filter(
    ({ entries }) => entries.length > 0,
  )
  return (
    <>
      <Heading title={t('dashboard.everything')} />
      <PageSection>
        {groups.length === 0 && <EmptyState headingLevel="h2" titleText={t('start.none')} />}
        <Gallery hasGutter minWidths={{ default: '260px' }}>
          {groups.map(({ group, entries }) => (
            <Card key={group} isFullHeight>
              <CardTitle component="h2">{t(`nav.${group}`)}</CardTitle>
              <CardBody>
                <List isPlain>
                  {entries.map(({ to, title }) => (
                    <ListItem key={to}>
                      <Link to={to}>{title}</Link>
                    </ListItem>
                  ))}
                </List>
              </CardBody>
            </Card>
          ))}
        </Gallery>
      </PageSection>
    </>
  )
}
