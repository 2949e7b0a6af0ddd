import { ActionGroup, Button, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/error.ts'
import { isCodeMissing, logIn } from '../api/session.ts'
import { t } from '../words/words.ts'
import { Alert } from './patternfly.tsx'
import { wordsOfProblem } from './problem.tsx'

interface LoginFormProps {
  readonly login?: string
}

/** The form for login and password; what was typed stays when it is refused. */
export function LoginForm({ login: given = '' }: LoginFormProps) {
  const [login, setLogin] = useState(given)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await logIn(login, password, code)
    } catch (caught) {
      if (isCodeMissing(caught)) setNeedsCode(true)
      else setError(caught)
      setBusy(false)
    }
  }

  return (
    <Form onSubmit={(event) => void submit(event)}>
      {error !== null && <Alert variant="danger" isInline title={titleOf(error, needsCode)} role="alert" />}
      <FormGroup label={t('login.login')} fieldId="login" isRequired>
        <TextInput
          id="login"
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          value={login}
          onChange={(_event, value) => setLogin(value)}
          isRequired
          autoFocus={given === ''}
        />
      </FormGroup>
      <FormGroup label={t('login.password')} fieldId="password" isRequired>
        <TextInput
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(_event, value) => setPassword(value)}
          isRequired
          autoFocus={given !== ''}
        />
      </FormGroup>
      {needsCode && (
        <FormGroup label={t('login.code')} fieldId="code" isRequired>
          <TextInput
            id="code"
            name="code"
            autoComplete="one-time-code"
            value={code}
            onChange={(_event, value) => setCode(value)}
            isRequired
            autoFocus
          />
        </FormGroup>
      )}
      <ActionGroup>
        <Button type="submit" isBlock isLoading={busy} isDisabled={busy}>
          {t('login.submit')}
        </Button>
      </ActionGroup>
    </Form>
  )
}

function titleOf(error: unknown, needsCode: boolean): string {
  const isRefused = error instanceof ApiError && error.problem === 'login'
  if (isRefused && needsCode) return t('login.code.failed')
  return isRefused ? t('login.failed') : wordsOfProblem(error).title
}
