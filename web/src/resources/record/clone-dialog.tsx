import { Button, Form, FormGroup, ModalBody, ModalFooter, TextInput } from '@patternfly/react-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useGo } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { DescribedClone } from '../description.ts'
import { Help } from '../form/labelled.tsx'
import { type ApiRecord, textOf, type Where } from '../resources.ts'

interface CloneDialogProps {
  readonly where: Where
  readonly record: ApiRecord
  readonly clone: DescribedClone
  readonly close: () => void
}

/** Asks for the name of a clone, lets the service make it, and shows it. */
export function CloneDialog({ where: { resource, home }, record, clone, close }: CloneDialogProps) {
  const original = textOf(record, resource)
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const go = useGo()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const path = clone.path.replace(/:\w+/, encodeURIComponent(String(record.id)))
      const said = { [clone.name]: name }
      return sendRequest(path, { method: clone.method, body: clone.word === null ? said : { [clone.word]: said } })
    },
    onSuccess: async ({ body }) => {
      await queries.invalidateQueries()
      notify('success', t('record.saved', { name }))
      close()
      go(`${home}/${encodeURIComponent(String(body.id))}`)
    },
  })
  const fields = error instanceof ApiError ? error.fields : {}
  const messages = fields[clone.name] ?? fields.name ?? []
  const title = t('clone.title', { name: original })
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="clone-title" elementToFocus="#clone-name">
      <ModalHeader title={title} labelId="clone-title" />
      <ModalBody>
        {error !== null && messages.length === 0 && <ProblemAlert error={error} retry={mutate} />}
        <Form
          id="clone"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') mutate()
          }}
        >
          <FormGroup label={labelOf('name')} fieldId="clone-name" isRequired>
            <TextInput
              id="clone-name"
              value={name}
              validated={messages.length > 0 ? 'error' : 'default'}
              autoComplete="off"
              aria-describedby="clone-name-help"
              onChange={(_event, value) => setName(value)}
            />
            <Help id="clone-name" messages={messages} />
          </FormGroup>
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button type="submit" form="clone" isDisabled={isPending || name.trim() === ''}>
          {t('action.clone')}
        </Button>
        <Button variant="link" onClick={close}>
          {t('action.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}
