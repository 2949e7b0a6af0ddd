import { Gallery } from '@patternfly/react-core'
import { may, useCaller } from '../../api/session.ts'
import { type AboveProps, RecordPage } from '../../resources/record/page.tsx'
import { LinkButton } from '../../shell/link.tsx'
import { t } from '../../words/words.ts'
import { Trial } from '../directory/trial.tsx'
import { useTrial } from '../directory/trial-state.ts'
import { LinkedGroups } from './linked-groups.tsx'

/** The page of a directory: whether it works, and the groups of it that people join user groups by. */
export function Page() {
  return <RecordPage plural="auth_source_ldaps" Above={Directory} />
}

function Directory({ record }: AboveProps) {
  const caller = useCaller()
  return (
    <Gallery hasGutter minWidths={{ default: '100%', lg: '360px' }}>
      {may(caller, ['edit_authenticators']) && <StoredTrial record={record} />}
      <LinkedGroups record={record} />
    </Gallery>
  )
}

/** Tests the directory as it is stored. */
function StoredTrial({ record }: Pick<AboveProps, 'record'>) {
  const id = String(record.id)
  const trial = useTrial('auth_source_ldaps')
  const stored = { id, record, values: {}, body: {}, mistakes: {}, refuse: () => undefined }
  return (
    <Trial {...stored} trial={trial} isStored>
      <LinkButton to={`/auth_source_ldaps/${id}/edit?step=person`} variant="link">
        {t('directory.as.open')}
      </LinkButton>
    </Trial>
  )
}
