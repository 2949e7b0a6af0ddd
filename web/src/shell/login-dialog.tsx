import { ModalBody } from '@patternfly/react-core'
import { t } from '../words/words.ts'
import { LoginForm } from './login-form.tsx'
import { Modal, ModalHeader } from './patternfly-parts.tsx'

interface LoginDialogProps {
  readonly login: string
}

/** Asks for a new login over a page whose session has expired; the page keeps everything that was typed. */
export function LoginDialog({ login }: LoginDialogProps) {
  return (
    <Modal isOpen variant="small" aria-labelledby="login-again" aria-describedby="login-again-text">
      <ModalHeader title={t('login.again')} labelId="login-again" />
      <ModalBody>
        <p id="login-again-text">{t('login.again.text')}</p>
        <LoginForm login={login} />
      </ModalBody>
    </Modal>
  )
}
