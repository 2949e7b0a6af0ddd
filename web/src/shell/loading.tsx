import { Bullseye, Spinner } from '@patternfly/react-core'
import { t } from '../words/words.ts'

/** What is there while nothing is. */
export function Loading() {
  return (
    <Bullseye>
      <Spinner aria-label={t('app.loading')} />
    </Bullseye>
  )
}
