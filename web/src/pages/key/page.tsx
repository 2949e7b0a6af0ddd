import { RecordPage } from '../../resources/record/page.tsx'
import { Use } from './use.tsx'

/**
 * The page of an activation key: its values, remaining uses, the command for registration, and hosts that differ from it.
 */
export function Page() {
  return <RecordPage plural="activation_keys" Above={Use} />
}
