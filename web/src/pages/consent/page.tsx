import { PageSection } from '@patternfly/react-core'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { Heading } from '../../shell/heading.tsx'
import { t } from '../../words/words.ts'
import { Consent, type Decision } from './consent.tsx'
import { UserCode } from './user-code.tsx'

/** Asks whether a program may log in: under `device` by a code that somebody types, under `authorize` in the browser of its machine. */
export function Page() {
  const { pathname } = useLocation()
  const isDevice = pathname.endsWith('/device')
  return (
    <>
      <Heading title={t(isDevice ? 'consent.device' : 'consent.title')} />
      <PageSection>{isDevice ? <Device /> : <Authorize />}</PageSection>
    </>
  )
}

function Device() {
  const [given] = useSearchParams()
  const [code, setCode] = useState<string | null>(null)
  if (code === null) return <UserCode initial={given.get('user_code') ?? ''} take={setCode} />
  return <Consent code={code} decide={(decision) => decideDevice(code, decision)} giveUp={() => setCode(null)} />
}

async function decideDevice(user_code: string, decision: Decision) {
  const { data } = await api.POST('/api/login_requests/device', { body: { user_code, decision } })
  return data
}

function Authorize() {
  const [given] = useSearchParams()
  const asked = Object.fromEntries(given)
  if (asked.redirect_uri === undefined) return <p>{t('consent.none')}</p>
  return (
    <Consent
      code={null}
      decide={async (decision) => {
        const { data } = await api.POST('/api/login_requests/browser', {
          body: {
            response_type: asked.response_type ?? '',
            client_id: asked.client_id ?? '',
            client_name: asked.client_name ?? '',
            redirect_uri: asked.redirect_uri ?? '',
            code_challenge: asked.code_challenge ?? '',
            code_challenge_method: asked.code_challenge_method ?? '',
            state: asked.state ?? '',
            scope: asked.scope ?? '',
            decision,
          },
        })
        // The service answers with addresses of this machine only.
        if (data?.redirect_to) location.replace(data.redirect_to)
        return data
      }}
    />
  )
}
