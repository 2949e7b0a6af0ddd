import { Button } from '@patternfly/react-core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Copyable } from '../../shell/copyable.tsx'
import { notify } from '../../shell/notices.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { formatNumber, formatTime, t } from '../../words/words.ts'
import { SmallForm } from './small-form.tsx'

interface FactorsProps {
  readonly user: number
}

/** What the browser shows once: the secret of a factor that waits for its first code, or the recovery codes. */
type Shown =
  | { readonly kind: 'begun'; readonly id: number; readonly secret: string; readonly url: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

const CODE = [{ key: 'code', type: 'text', isRequired: true }] as const

/** Sets up, proves and removes second factors of the caller. */
export function Factors({ user }: FactorsProps) {
  const [shown, setShown] = useState<Shown | null>(null)
  const queries = useQueryClient()
  const queryKey = ['account', 'factors', user]
  const path = { user_id: String(user) }
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.GET('/api/users/{user_id}/second_factors', { params: { path, query: { per_page: 'all' } }, signal }))
        .data,
  })
  const renew = () => queries.invalidateQueries({ queryKey })

  async function begin() {
    try {
      const body = { second_factor: { kind: 'totp' } } as const
      const { data: begun } = await api.POST('/api/users/{user_id}/second_factors', { params: { path }, body })
      if (begun) setShown({ kind: 'begun', id: begun.id, secret: begun.secret, url: begun.otpauth_url })
      await renew()
    } catch (caught) {
      notify('danger', wordsOfProblem(caught).title, wordsOfProblem(caught).text)
    }
  }

  async function confirm(id: number, code: string) {
    const params = { path: { ...path, id: String(id) } }
    const body = { second_factor: { code } }
    const done = await api.PUT('/api/users/{user_id}/second_factors/{id}/confirm', { params, body })
    setShown({ kind: 'codes', codes: done.data?.recovery_codes ?? [] })
    await renew()
  }

  async function remove(id: number, code: string) {
    const params = { path: { ...path, id: String(id) }, query: { code } }
    await api.DELETE('/api/users/{user_id}/second_factors/{id}', { params })
    setShown(null)
    await renew()
  }

  const confirmed = data?.results.filter((factor) => factor.confirmed) ?? []
  return (
    <section aria-label={t('account.factors')} className="mw-related">
      <h2 className="pf-v6-c-title pf-m-lg">{t('account.factors')}</h2>
      <p>{t('account.factors.text')}</p>
      <Awaited data={data} error={error} refetch={refetch} />
      {shown?.kind === 'begun' && (
        <>
          <Alert variant="info" isInline title={t('account.factor.begun')}>
            <Copyable text={shown.secret} label={t('account.factor.secret')} />
            <a href={shown.url}>{t('account.factor.open')}</a>
          </Alert>
          <SmallForm
            id="factor"
            submit={t('account.factor.confirm')}
            fields={CODE}
            send={({ code = '' }) => confirm(shown.id, code)}
          />
        </>
      )}
      {shown?.kind === 'codes' && (
        <Alert variant="success" isInline title={t('account.factor.codes')}>
          <Copyable text={shown.codes.join('\n')} label={t('account.factor.codes.label')} />
        </Alert>
      )}
      {confirmed.map(({ id, created_at, recovery_codes_left }) => (
        <div key={id}>
          <p>{t('account.factor.is', { time: formatTime(created_at), count: formatNumber(recovery_codes_left) })}</p>
          <SmallForm
            id={`remove-factor-${id}`}
            submit={t('account.factor.remove')}
            fields={CODE}
            send={({ code = '' }) => remove(id, code)}
          />
        </div>
      ))}
      {confirmed.length > 0 && (
        <>
          <p>{t('account.factor.prove.text')}</p>
          <SmallForm
            id="prove-factor"
            submit={t('account.factor.prove')}
            fields={CODE}
            send={async ({ code = '' }) => {
              await api.POST('/api/session/proof', { body: { code } })
              notify('success', t('account.factor.proven'))
            }}
          />
        </>
      )}
      {data && confirmed.length === 0 && shown === null && (
        <Button variant="secondary" onClick={() => void begin()}>
          {t('account.factor.begin')}
        </Button>
      )}
    </section>
  )
}
