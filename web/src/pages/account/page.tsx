import { ActionList, ActionListGroup, Button, PageSection } from '@patternfly/react-core'
import { BASE } from '../../api/client.ts'
import { logOut, useCaller } from '../../api/session.ts'
import { dropDrafts } from '../../shell/drafts.ts'
import { Heading } from '../../shell/heading.tsx'
import { LinkButton } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'
import { Factors } from './factors.tsx'
import { Identities } from './identities.tsx'
import { Keys } from './keys.tsx'
import { Preferences } from './preferences.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'

/** The page of the caller's second factor, tokens, keys, sessions and preferences. */
export function Page() {
  const { id, name, login } = useCaller()
  return (
    <>
      <Heading
        title={t('account.title')}
        text={
          <bdi>
            {name} ({login})
          </bdi>
        }
        actions={
          <ActionList>
            <ActionListGroup>
              <LinkButton to={`/users/${id}/edit`} variant="secondary">
                {t('account.profile')}
              </LinkButton>
              <Button
                variant="secondary"
                onClick={() => {
                  dropDrafts()
                  void logOut(BASE)
                }}
              >
                {t('login.out')}
              </Button>
            </ActionListGroup>
          </ActionList>
        }
      />
      <PageSection>
        <Factors user={id} />
        <Tokens user={id} />
        <Keys user={id} />
        <Identities user={id} />
        <Sessions />
        <Preferences user={id} />
      </PageSection>
    </>
  )
}
