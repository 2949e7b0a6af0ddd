import type { ApiRecord } from '../../resources/resources.ts'
import { t } from '../../words/words.ts'
import { Owner } from '../host/origins.tsx'

interface FromProps {
  readonly group: ApiRecord
}

/** Says which group something is inherited from. */
export function From({ group }: FromProps) {
  return (
    <span className="mw-hint">
      {t('inherit.from')} <Owner plural="hostgroups" record={group} />
    </span>
  )
}
