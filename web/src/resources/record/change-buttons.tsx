import { Button } from '@patternfly/react-core'
import { LinkButton } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'

interface ChangeButtonsProps {
  /** The path of the record's page. */
  readonly self: string
  readonly mayEdit: boolean
  readonly mayDelete: boolean
  readonly onDelete: () => void
}

/** The buttons in the heading of a record by which it is edited and deleted, for callers who may. */
export function ChangeButtons({ self, mayEdit, mayDelete, onDelete }: ChangeButtonsProps) {
  return (
    <>
      {mayEdit && (
        <LinkButton to={`${self}/edit`} variant="primary">
          {t('action.edit')}
        </LinkButton>
      )}{' '}
      {mayDelete && (
        <Button variant="danger" onClick={onDelete}>
          {t('action.delete')}
        </Button>
      )}
    </>
  )
}
