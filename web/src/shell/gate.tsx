import { Suspense, useEffect } from 'react'
import { ApiError } from '../api/error.ts'
import { openSession, useSession } from '../api/session.ts'
import { t } from '../words/words.ts'
import { Loading } from './loading.tsx'
import { LoginDialog } from './login-dialog-later.tsx'
import { readLoginError } from './login-error.ts'
import { LoginPage } from './login-page.tsx'
import { notify } from './notices.tsx'
import { Problem } from './problem.tsx'
import { Shell } from './shell.tsx'

/** Shows the login page to callers without a session. The address stays, so that the requested page follows the login. */
export function Gate() {
  const session = useSession()
  const isOpen = session.kind === 'open'
  useEffect(() => {
    const problem = isOpen ? readLoginError() : null // without a session the login page shows it
    if (problem !== null) notify('danger', t('login.with.failed'), problem)
  }, [isOpen])
  if (session.kind === 'unknown') return <Loading />
  if (session.kind === 'unreachable')
    return (
      <main>
        <Problem error={new ApiError({ status: 0, message: '' })} retry={() => void openSession()} />
      </main>
    )
  if (session.kind === 'none') return <LoginPage />
  return (
    <>
      <Shell />
      <Suspense>{session.expired && <LoginDialog login={session.caller.login} />}</Suspense>
    </>
  )
}
