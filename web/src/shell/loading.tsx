import { Bullseye, Spinner } from '@patternfly/react-core'
import { t } from '../words/words.ts'

/** Shown while content is loading. */
export function Loading() {
  return (
    <Bullseye>
      <Spinner aria-label={t('app.loading')} />
    </Bullseye>
  )
}
