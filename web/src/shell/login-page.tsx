import { Bullseye, Card, CardBody, CardTitle, Title } from '@patternfly/react-core'
import { useEffect, useState } from 'react'
import { loadLoginText } from '../api/session.ts'
import { t } from '../words/words.ts'
import { LoginForm } from './login-form.tsx'
import { LoginProviders } from './login-providers.tsx'
import { useTitle } from './title.ts'

/** The login page, with the text that administrators have set. */
export function LoginPage() {
  const [text, setText] = useState('')
  useTitle(t('login.title'))
  useEffect(() => {
    void loadLoginText().then(setText)
  }, [])
  return (
    <main className="mw-login">
      <Bullseye>
        <Card className="mw-login-card">
          <CardTitle>
            <Title headingLevel="h1">{t('app.name')}</Title>
          </CardTitle>
          <CardBody>
            <LoginForm />
            <LoginProviders />
            {text && <p className="mw-login-text">{text}</p>}
          </CardBody>
        </Card>
      </Bullseye>
    </main>
  )
}
