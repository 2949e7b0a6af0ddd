import { Button } from '@patternfly/react-core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, sendRequest } from '../../api/client.ts'
import { canUsePasskeys, createPasskey } from '../../api/passkeys.ts'
import { Awaited } from '../../shell/awaited.tsx'
import { Copyable } from '../../shell/copyable.tsx'
import { notify } from '../../shell/notices.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { askPasskey } from '../../shell/proof.tsx'
import { formatNumber, formatTime, t } from '../../words/words.ts'
import { SmallForm } from './small-form.tsx'

interface FactorsProps {
  readonly user: number
}

/** What the browser shows once: the secret of a factor that waits for its first code, or the recovery codes. */
type Shown =
  | { readonly kind: 'begun'; readonly id: number; readonly secret: string; readonly url: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

/** What proves a factor: a code, or what a passkey has signed. */
type Proof = { readonly code: string } | { readonly passkey: Readonly<Record<string, unknown>> }

const NAME = [{ key: 'name', type: 'text', isRequired: true }] as const
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
      const { id, secret = '', otpauth_url: url = '' } = begun ?? {}
      if (id !== undefined) setShown({ kind: 'begun', id, secret, url })
      await renew()
    } catch (caught) {
      report(caught)
    }
  }

  async function addPasskey(name: string) {
    const body = { second_factor: { kind: 'passkey', name } } as const
    const { data: begun } = await api.POST('/api/users/{user_id}/second_factors', { params: { path }, body })
    if (begun) await confirm(begun.id, { passkey: await createPasskey(begun.options ?? {}) })
  }

  async function confirm(id: number, proof: Proof) {
    const params = { path: { ...path, id: String(id) } }
    const body = { second_factor: proof }
    const done = await api.PUT('/api/users/{user_id}/second_factors/{id}/confirm', { params, body })
    const codes = done.data?.recovery_codes ?? []
    setShown(codes.length > 0 ? { kind: 'codes', codes } : null)
    await renew()
  }

  async function remove(id: number, proof: Proof) {
    // A body, because a code in an address would be in logs.
    await sendRequest(`/api/users/${user}/second_factors/${id}`, { method: 'DELETE', body: proof })
    setShown(null)
    await renew()
  }

  async function prove(proof: Proof) {
    await api.POST('/api/session/proof', { body: proof })
    notify('success', t('account.factor.proven'))
  }

  const withPasskey = (send: (proof: Proof) => Promise<void>, label: string) =>
    data?.results.some((factor) => factor.confirmed && factor.kind === 'passkey') && canUsePasskeys() ? (
      <Button
        variant="link"
        aria-label={label}
        onClick={() =>
          void askPasskey()
            .then((passkey) => send({ passkey }))
            .catch(report)
        }
      >
        {t('login.passkey')}
      </Button>
    ) : null

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
            send={({ code = '' }) => confirm(shown.id, { code })}
          />
        </>
      )}
      {shown?.kind === 'codes' && (
        <Alert variant="success" isInline title={t('account.factor.codes')}>
          <Copyable text={shown.codes.join('\n')} label={t('account.factor.codes.label')} />
        </Alert>
      )}
      {confirmed.map((factor) => (
        <div key={factor.id}>
          <p>{describe(factor)}</p>
          <SmallForm
            id={`remove-factor-${factor.id}`}
            submit={t('account.factor.remove')}
            fields={CODE}
            send={({ code = '' }) => remove(factor.id, { code })}
          />
          {withPasskey(
            (proof) => remove(factor.id, proof),
            t('account.factor.passkey.remove', { name: factor.name ?? '' }),
          )}
        </div>
      ))}
      {confirmed.length > 0 && (
        <>
          <p>{t('account.factor.prove.text')}</p>
          <SmallForm
            id="prove-factor"
            submit={t('account.factor.prove')}
            fields={CODE}
            send={({ code = '' }) => prove({ code })}
          />
          {withPasskey(prove, t('account.factor.passkey.prove'))}
        </>
      )}
      {data && confirmed.length === 0 && shown === null && (
        <Button variant="secondary" onClick={() => void begin()}>
          {t('account.factor.begin')}
        </Button>
      )}
      {data && canUsePasskeys() && (
        <>
          <p>{t('account.factor.passkey.text')}</p>
          <SmallForm
            id="passkey"
            submit={t('account.factor.passkey.add')}
            fields={NAME}
            send={({ name = '' }) => addPasskey(name)}
          />
        </>
      )}
    </section>
  )
}

function report(error: unknown): void {
  notify('danger', wordsOfProblem(error).title, wordsOfProblem(error).text)
}

interface Described {
  readonly kind: string
  readonly name: string | null
  readonly host: string | null
  readonly created_at: string
  readonly last_used_at: string | null
  readonly recovery_codes_left: number
}

function describe({ kind, name, host, created_at, last_used_at, recovery_codes_left }: Described): string {
  const facts = { time: formatTime(created_at), count: formatNumber(recovery_codes_left) }
  if (kind !== 'passkey') return t('account.factor.is', facts)
  const used = last_used_at === null ? t('account.factor.passkey.unused') : formatTime(last_used_at)
  return t('account.factor.passkey.is', { ...facts, name: name ?? '', host: host ?? '', used })
}
