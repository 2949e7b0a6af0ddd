import { useEffect, useState } from 'react'
import { type LoginProvider, loadLoginProviders } from '../api/session.ts'
import { t } from '../words/words.ts'
import { readLoginError } from './login-error.ts'
import { Alert } from './patternfly.tsx'

/** One link for each provider, which leads back to the present page, and why the last login at one failed. */
export function LoginProviders() {
  const [providers, setProviders] = useState<readonly LoginProvider[]>([])
  const [problem] = useState(readLoginError)
  useEffect(() => {
    void loadLoginProviders().then(setProviders)
  }, [])
  return (
    <>
      {problem !== null && (
        <Alert variant="danger" isInline title={t('login.with.failed')} role="alert">
          {problem}
        </Alert>
      )}
      {providers.map(({ id, name }) => (
        <a key={id} className="pf-v6-c-button pf-m-secondary pf-m-block mw-login-text" href={addressOf(id)}>
          {t('login.with', { name })}
        </a>
      ))}
    </>
  )
}

/** Where the browser begins to log in at a provider; it comes back to the page that it is on. */
function addressOf(id: number): string {
  const base = new URL(document.baseURI).pathname
  const { pathname, search } = location
  const wanted = `/${pathname.slice(base.length)}${search}`
  return new URL(`api/auth_source_oidcs/${id}/login?return_to=${encodeURIComponent(wanted)}`, document.baseURI).href
}
