import { ActionGroup, Button, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/error.ts'
import { canUsePasskeys } from '../api/passkeys.ts'
import { isCodeMissing, logIn, type Proof } from '../api/session.ts'
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
  const [error, setError] = useState<Readonly<Record<'title' | 'text', string>> | null>(null)

  async function start(proof: Proof) {
    setBusy(true)
    setError(null)
    try {
      await logIn(login, password, proof)
    } catch (caught) {
      if (isCodeMissing(caught)) setNeedsCode(true)
      else setError({ title: titleOf(caught, proof), text: proof === 'passkey' ? wordsOfProblem(caught).text : '' })
      setBusy(false)
    }
  }

  return (
    <Form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void start(code === '' ? 'none' : { code })
      }}
    >
      {error !== null && (
        <Alert variant="danger" isInline title={error.title} role="alert">
          {error.text}
        </Alert>
      )}
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
        {needsCode && canUsePasskeys() && (
          <Button variant="secondary" isBlock isDisabled={busy} onClick={() => void start('passkey')}>
            {t('login.passkey')}
          </Button>
        )}
      </ActionGroup>
    </Form>
  )
}

function titleOf(error: unknown, proof: Proof): string {
  if (proof === 'passkey') return t('login.passkey.failed')
  const isRefused = error instanceof ApiError && error.problem === 'login'
  if (isRefused && proof !== 'none') return t('login.code.failed')
  return isRefused ? t('login.failed') : wordsOfProblem(error).title
}
