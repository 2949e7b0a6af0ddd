import { FormGroup } from '@patternfly/react-core'
import { t } from '../../words/words.ts'
import { Reference } from './reference.tsx'
import type { Chosen } from './values.ts'

const HOST = { key: 'host_id', doc: '', required: false, widget: 'reference', target: 'hosts' } as const

interface HostChoiceProps {
  /** What the ids of the widgets begin with; the element `<id>-text` says what the host is chosen for. */
  readonly id: string
  readonly value: readonly Chosen[]
  readonly onChange: (chosen: readonly Chosen[]) => void
  readonly className?: string
}

/** Lets people choose the host for which something is shown. */
export function HostChoice({ id, value, onChange, className }: HostChoiceProps) {
  return (
    <FormGroup label={t('template.host')} fieldId={`${id}-host`} className={className}>
      <Reference
        field={HOST}
        id={`${id}-host`}
        value={value}
        onChange={onChange}
        describedBy={`${id}-text`}
        isInvalid={false}
      />
    </FormGroup>
  )
}
