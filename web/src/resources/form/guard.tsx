import { Button, ModalBody, ModalFooter } from '@patternfly/react-core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { t } from '../../words/words.ts'

interface GuardProps {
  /** Tells whether changes would be lost; called when the user leaves. */
  readonly isDirty: () => boolean
  readonly isOn: boolean
  /** Called when the user gives the changes up. */
  readonly onLeave?: () => void
}

/** Asks for confirmation when the user leaves a page with unsaved changes in any way. */
export function Guard({ isDirty, isOn, onLeave }: GuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isDirty(),
  )
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])
  if (blocker.state !== 'blocked') return null
  return (
    <Modal isOpen variant="small" onClose={() => blocker.reset()} aria-labelledby="unsaved-title">
      <ModalHeader title={t('form.unsaved')} labelId="unsaved-title" titleIconVariant="warning" />
      <ModalBody>{t('form.unsaved.text')}</ModalBody>
      <ModalFooter>
        <Button onClick={() => blocker.reset()}>{t('form.stay')}</Button>
        <Button
          variant="danger"
          onClick={() => {
            onLeave?.()
            blocker.proceed()
          }}
        >
          {t('form.leave')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}
