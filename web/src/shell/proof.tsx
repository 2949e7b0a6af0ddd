import { ActionGroup, Button, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { type FormEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { canUsePasskeys, signWithPasskey } from '../api/passkeys.ts'
import { t } from '../words/words.ts'
import { ProblemAlert } from './problem.tsx'

/** Whether a request was refused because the second factor was proven too long ago. */
export function isProofMissing(error: unknown): boolean {
  return error instanceof ApiError && error.message.includes('Prove your second factor again')
}

/** Has the browser ask a passkey of the caller, and yields its answer. {@throws ApiError} */
export async function askPasskey(): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await api.POST('/api/session/passkey')
  return signWithPasskey(data?.options ?? {})
}

interface ProofProps {
  readonly proven: () => void
}

/** Asks for the second factor again, in the place of what needs it. */
export function Proof({ proven }: ProofProps) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  async function prove(by: 'code' | 'passkey') {
    setError(null)
    try {
      await api.POST('/api/session/proof', { body: by === 'code' ? { code } : { passkey: await askPasskey() } })
      proven()
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <Form
      className="mw-form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void prove('code')
      }}
    >
      <p>{t('account.factor.prove.text')}</p>
      {error !== null && <ProblemAlert error={error} retry={() => void prove('code')} />}
      <FormGroup label={t('login.code')} fieldId="proof-code" isRequired>
        <TextInput
          id="proof-code"
          autoComplete="one-time-code"
          value={code}
          onChange={(_event, value) => setCode(value)}
          isRequired
          autoFocus
        />
      </FormGroup>
      <ActionGroup>
        <Button type="submit" variant="secondary">
          {t('account.factor.prove')}
        </Button>
        {canUsePasskeys() && (
          <Button variant="link" onClick={() => void prove('passkey')}>
            {t('login.passkey')}
          </Button>
        )}
      </ActionGroup>
    </Form>
  )
}
