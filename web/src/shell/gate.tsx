import { ApiError } from '../api/error.ts'
import { openSession, useSession } from '../api/session.ts'
import { Loading } from './loading.tsx'
import { LoginDialog } from './login-dialog.tsx'
import { LoginPage } from './login-page.tsx'
import { Problem } from './problem.tsx'
import { Shell } from './shell.tsx'

/** Shows the login page to callers without a session. The address stays, so that the requested page follows the login. */
export function Gate() {
  const session = useSession()
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
      {session.expired && <LoginDialog login={session.caller.login} />}
    </>
  )
}
