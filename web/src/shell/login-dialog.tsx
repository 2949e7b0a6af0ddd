import { Modal, ModalBody, ModalHeader } from '@patternfly/react-core'
import { t } from '../words/words.ts'
import { LoginForm } from './login-form.tsx'

interface LoginDialogProps {
  readonly login: string
}

/** Over a page whose session has ended: the page waits, with all that was typed there. */
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
