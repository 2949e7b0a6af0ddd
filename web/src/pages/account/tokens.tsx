import { Button, EmptyState, Label } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Copyable } from '../../shell/copyable.tsx'
import { notify } from '../../shell/notices.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatTime, labelOf, t } from '../../words/words.ts'
import { SmallForm } from './small-form.tsx'

interface TokensProps {
  readonly user: number
}

/** Lists and creates tokens, passwords for programs with an expiry, which can be revoked at any time. */
export function Tokens({ user }: TokensProps) {
  const [told, setTold] = useState('')
  const queries = useQueryClient()
  const queryKey = ['account', 'tokens', user]
  const path = { user_id: String(user) }
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/users/{user_id}/personal_access_tokens', {
          params: { path, query: { per_page: 'all' } },
          signal,
        })
      ).data,
  })
  const revoke = useMutation({
    mutationFn: (id: number) =>
      api.DELETE('/api/users/{user_id}/personal_access_tokens/{id}', {
        params: { path: { ...path, id: String(id) } },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: (caught) => notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text),
  })
  async function create({ name = '', expires_at = '', ...limits }: Readonly<Record<string, string>>) {
    const token = {
      name,
      expires_at: expires_at === '' ? null : `${expires_at}T23:59:59Z`,
      permissions: splitWords(limits.permissions),
      allowed_addresses: splitWords(limits.allowed_addresses),
    }
    const made = await api.POST('/api/users/{user_id}/personal_access_tokens', {
      params: { path },
      body: { personal_access_token: token },
    })
    setTold(made.data?.token_value ?? '')
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <section aria-label={t('account.tokens')}>
      <h2 className="pf-v6-c-title pf-m-lg">{t('account.tokens')}</h2>
      <p>{t('account.tokens.text')}</p>
      <SmallForm
        id="token"
        submit={t('account.token.create')}
        fields={[
          { key: 'name', type: 'text', isRequired: true },
          { key: 'expires_at', type: 'date' },
          { key: 'permissions', type: 'text' },
          { key: 'allowed_addresses', type: 'text' },
        ]}
        send={create}
      />
      {told !== '' && (
        <Alert variant="success" isInline title={t('account.token.told')}>
          <Copyable text={told} label={t('account.token.value')} />
        </Alert>
      )}
      <Awaited data={data} error={error} refetch={refetch} />
      {data?.results.length === 0 && <EmptyState headingLevel="h3" variant="sm" titleText={t('account.tokens.none')} />}
      {data && data.results.length > 0 && (
        <Table aria-label={t('account.tokens')} variant="compact">
          <Thead>
            <Tr>
              <Th>{labelOf('name')}</Th>
              <Th>{labelOf('expires_at')}</Th>
              <Th>{t('account.token.limits')}</Th>
              <Th>{t('account.used')}</Th>
              <Th screenReaderText={t('list.actions')} />
            </Tr>
          </Thead>
          <Tbody>
            {data.results.map(
              ({ id, name, expires_at, last_used_at, 'active?': active, 'revoked?': revoked, ...limits }) => (
                <Tr key={id}>
                  <Td dataLabel={labelOf('name')}>
                    <bdi>{name}</bdi>{' '}
                    {active === false && (
                      <Label isCompact color="grey">
                        {revoked ? t('account.revoked') : t('account.ended')}
                      </Label>
                    )}
                  </Td>
                  <Td dataLabel={labelOf('expires_at')}>
                    {expires_at === null ? t('account.never') : formatTime(expires_at)}
                  </Td>
                  <Td dataLabel={t('account.token.limits')}>{describeLimits(limits)}</Td>
                  <Td dataLabel={t('account.used')}>
                    {last_used_at === null ? t('account.unused') : formatTime(last_used_at)}
                  </Td>
                  <Td>
                    {!revoked && (
                      <Button
                        variant="secondary"
                        isDanger
                        size="sm"
                        isDisabled={revoke.isPending}
                        onClick={() => revoke.mutate(id)}
                        aria-label={t('account.revoke.of', { name })}
                      >
                        {t('account.revoke')}
                      </Button>
                    )}
                  </Td>
                </Tr>
              ),
            )}
          </Tbody>
        </Table>
      )}
    </section>
  )
}

/** Splits names between commas or blanks; null for none. */
function splitWords(text = ''): string[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  return words.length === 0 ? null : words
}

interface Limits {
  readonly permissions?: readonly string[] | null | undefined
  readonly organization_ids?: readonly number[] | null | undefined
  readonly location_ids?: readonly number[] | null | undefined
  readonly allowed_addresses?: readonly string[] | null | undefined
}

function describeLimits({ permissions, organization_ids, location_ids, allowed_addresses }: Limits): string {
  const places = organization_ids || location_ids ? [t('account.token.places')] : []
  const parts = [...(permissions ?? []), ...places, ...(allowed_addresses ?? [])]
  return parts.length === 0 ? '–' : parts.join(', ')
}
