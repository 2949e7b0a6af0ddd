import { Button, CardBody, CardTitle, Card as Frame, List, ListItem, Title } from '@patternfly/react-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { may, useCaller } from '../../api/session.ts'
import { Copyable } from '../../shell/copyable.tsx'
import { LinkButton } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, nameOf, t } from '../../words/words.ts'

const IMPORT = 'millwright import server https://old.example.test --user admin --password-file password --plan'

/** The ways to begin with a server without hosts, as far as the caller may use them. */
export function Beginning() {
  const caller = useCaller()
  const [parameters] = useSearchParams()
  const { organization, location } = scopeOf(parameters)
  const isEverywhere = organization === null && location === null
  const mayCreate = may(caller, ['create_hosts'])
  if (!mayCreate && !caller.admin) return null
  const title = t('begin.title')
  return (
    <Frame isFullHeight component="section" aria-label={title}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        <List isPlain className="mw-ways">
          {caller.admin && (
            <ListItem>
              <Title headingLevel="h3">{t('begin.import')}</Title>
              <p>{t('begin.import.text')}</p>
              <Copyable text={IMPORT} label={t('begin.import.command')} />
            </ListItem>
          )}
          {mayCreate && (
            <ListItem>
              <Title headingLevel="h3">{t('begin.register')}</Title>
              <p>{t('begin.register.text')}</p>
              <div className="mw-actions">
                <LinkButton to="/hosts/new">{t('form.create', { what: nameOf('hosts', 'one') })}</LinkButton>
                {may(caller, ['create_activation_keys']) && (
                  <LinkButton to="/activation_keys/new" variant="secondary">
                    {t('form.create', { what: nameOf('activation_keys', 'one') })}
                  </LinkButton>
                )}
              </div>
            </ListItem>
          )}
          {caller.admin && isEverywhere && <Sample />}
        </List>
      </CardBody>
    </Frame>
  )
}

function Sample() {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => (await api.POST('/api/sample')).data,
    onSuccess: async (data) => {
      notify('success', t('begin.sample.done', { count: formatNumber(data?.created ?? 0) }))
      await queries.invalidateQueries()
    },
  })
  return (
    <ListItem>
      <Title headingLevel="h3">{t('begin.sample')}</Title>
      <p>{t('begin.sample.text')}</p>
      <Button variant="secondary" isDisabled={isPending} isLoading={isPending} onClick={() => mutate()}>
        {t('begin.sample.load')}
      </Button>
      {error !== null && <ProblemAlert error={error} retry={mutate} />}
    </ListItem>
  )
}
