import { Button, Form, FormGroup, ModalBody, ModalFooter, TextInput } from '@patternfly/react-core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { isProofMissing, Proof } from '../../shell/proof.tsx'
import { t } from '../../words/words.ts'

interface RevealProps {
  /** The name of the parameter or field, for labels. */
  readonly name: string
  /** The path of the record with the value in the API. */
  readonly path: string
  /** Finds the value in the record. */
  readonly readValue: (body: Readonly<Record<string, unknown>>) => unknown
}

/** Shows a mask in place of a hidden value; with permission, a button asks for the reason and shows the value. */
export function Reveal({ name, path, readValue }: RevealProps) {
  const caller = useCaller()
  const [isOpen, setIsOpen] = useState(false)
  const [reason, setReason] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const { body } = await sendRequest(path, { query: { show_hidden: true, reason: reason.trim() || undefined } })
      return { value: readValue(body) }
    },
    onSuccess: () => setIsOpen(false),
  })
  if (!may(caller, [permissionOf(path)])) return HIDDEN
  if (data) return <bdi className="mw-value">{textOf(data.value)}</bdi>
  return (
    <>
      {HIDDEN}{' '}
      <Button
        variant="link"
        isInline
        aria-label={`${t('reveal.show')}: ${name}`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('reveal.show')}
      </Button>
      {isOpen && (
        <Modal
          isOpen
          variant="small"
          onClose={() => setIsOpen(false)}
          aria-labelledby="reveal-title"
          elementToFocus="#reveal-reason"
        >
          <ModalHeader title={t('reveal.title', { name })} labelId="reveal-title" />
          <ModalBody>
            {isProofMissing(error) ? (
              <Proof proven={() => mutate()} />
            ) : (
              <>
                {error !== null && <ProblemAlert error={error} retry={() => mutate()} />}
                <Form
                  id="reveal"
                  noValidate
                  onSubmit={(event) => {
                    event.preventDefault()
                    mutate()
                  }}
                >
                  <FormGroup label={t('reveal.reason')} fieldId="reveal-reason">
                    <TextInput
                      id="reveal-reason"
                      value={reason}
                      maxLength={1000}
                      aria-describedby="reveal-help"
                      onChange={(_event, value) => setReason(value)}
                    />
                    <p id="reveal-help" className="mw-hint">
                      {t('reveal.help')}
                    </p>
                  </FormGroup>
                </Form>
              </>
            )}
          </ModalBody>
          <ModalFooter>
            <Button type="submit" form="reveal" isDisabled={isPending || isProofMissing(error)}>
              {t('reveal.show')}
            </Button>
            <Button variant="link" onClick={() => setIsOpen(false)}>
              {t('action.cancel')}
            </Button>
          </ModalFooter>
        </Modal>
      )}
    </>
  )
}

const HIDDEN = '*****'

/** The permission to see the hidden values of a record. */
function permissionOf(path: string): string {
  return path.includes('/smart_class_parameters/') ? 'reveal_external_parameters' : 'reveal_params'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
