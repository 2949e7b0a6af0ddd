import { ActionGroup, Button, Form, FormGroup, TextInput } from '@patternfly/react-core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { Help } from '../../resources/form/labelled.tsx'
import { useKept } from '../../shell/drafts.ts'
import { ProblemAlert } from '../../shell/problem.tsx'
import { labelOf } from '../../words/words.ts'

interface SmallFormProps {
  readonly id: string
  readonly submit: string
  readonly fields: readonly {
    readonly key: string
    readonly type: 'text' | 'date'
    readonly isRequired?: boolean
  }[]
  readonly send: (values: Readonly<Record<string, string>>) => Promise<void>
}

const NOTHING: Readonly<Record<string, string>> = {}

/** A form within a page: errors are shown at their fields, and what was typed stays. */
export function SmallForm({ id, submit, fields, send }: SmallFormProps) {
  const [values, setValues] = useKept(`small ${id}`, NOTHING)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const messages = error instanceof ApiError ? error.fields : {}
  const isElsewhere = error !== null && !fields.some(({ key }) => messages[key])

  async function start() {
    setIsBusy(true)
    setError(null)
    try {
      await send(values)
      setValues(NOTHING)
    } catch (caught) {
      setError(caught)
    }
    setIsBusy(false)
  }

  return (
    <Form
      className="mw-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void start()
      }}
    >
      {isElsewhere && <ProblemAlert error={error} retry={() => void start()} />}
      {fields.map(({ key, type, isRequired = false }) => (
        <FormGroup key={key} label={labelOf(key)} fieldId={`${id}-${key}`} isRequired={isRequired}>
          <TextInput
            id={`${id}-${key}`}
            type={type}
            autoComplete="off"
            value={values[key] ?? ''}
            validated={messages[key] ? 'error' : 'default'}
            aria-describedby={`${id}-${key}-help`}
            onChange={(_event, value) => setValues({ ...values, [key]: value })}
          />
          <Help id={`${id}-${key}`} messages={messages[key] ?? []} />
        </FormGroup>
      ))}
      <ActionGroup>
        <Button type="submit" variant="secondary" isLoading={isBusy} isDisabled={isBusy}>
          {submit}
        </Button>
      </ActionGroup>
    </Form>
  )
}
