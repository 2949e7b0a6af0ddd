import { HelperText } from '@patternfly/react-core'
import { may, useCaller } from '../../api/session.ts'
import { HelperTextItem } from '../../shell/patternfly-parts.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { DescribedOperation, FormField } from '../description.ts'

/** The fields of a form: those that the caller may change, and the others. */
export interface OpenFields {
  readonly open: readonly FormField[]
  readonly closed: readonly FormField[]
}

/** Divides the fields of a form: whoever may change a record only because it is their own may change few of them. */
export function useOpenFields(fields: readonly FormField[], operation: DescribedOperation | undefined): OpenFields {
  const caller = useCaller()
  const isPermitted = may(caller, operation?.permissions ?? [])
  const isOpen = ({ only }: FormField) => only === undefined || (only === 'administrators' ? caller.admin : isPermitted)
  return { open: fields.filter(isOpen), closed: fields.filter((field) => !isOpen(field)) }
}

interface ClosedProps {
  readonly fields: readonly FormField[]
  readonly permissions: readonly string[]
}

/** Says which fields the caller may not change, and what is needed for them. */
export function Closed({ fields, permissions }: ClosedProps) {
  const labelsOf = (only: FormField['only']) =>
    fields.flatMap((field) => (field.only === only ? [labelOf(field.key)] : [])).join(', ')
  const permitted = labelsOf('permitted')
  const administrators = labelsOf('administrators')
  return (
    <HelperText>
      {permitted !== '' && (
        <HelperTextItem>{t('form.closed', { fields: permitted, permissions: permissions.join(', ') })}</HelperTextItem>
      )}
      {administrators !== '' && (
        <HelperTextItem>{t('form.closed.administrators', { fields: administrators })}</HelperTextItem>
      )}
    </HelperText>
  )
}
