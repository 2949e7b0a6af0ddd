import { Bullseye } from '@patternfly/react-core'
import { t } from '../words/words.ts'
import { Spinner } from './patternfly.tsx'

/** Shown while content is loading. */
export function Loading() {
  return (
    <Bullseye>
      <Spinner aria-label={t('app.loading')} />
    </Bullseye>
  )
}
