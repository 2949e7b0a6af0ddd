import { ActionGroup, Button, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { type FormEvent, useState } from 'react'
import { t } from '../../words/words.ts'

interface UserCodeProps {
  /** The code of the address. It has to be sent by hand, so that people compare it with that of their program. */
  readonly initial: string
  readonly take: (code: string) => void
}

/** The form for the code that a program shows. */
export function UserCode({ initial, take }: UserCodeProps) {
  const [code, setCode] = useState(initial)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (code.trim() !== '') take(code.trim())
  }
  return (
    <Form className="mw-form" onSubmit={submit}>
      <p>{t('consent.code.text')}</p>
      <FormGroup label={t('consent.code')} fieldId="user-code" isRequired>
        <TextInput
          id="user-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          onChange={(_event, value) => setCode(value)}
          isRequired
          autoFocus
        />
      </FormGroup>
      <ActionGroup>
        <Button type="submit">{t('consent.code.send')}</Button>
      </ActionGroup>
    </Form>
  )
}
