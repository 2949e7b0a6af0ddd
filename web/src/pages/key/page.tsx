import { RecordPage } from '../../resources/record/page.tsx'
import { Use } from './use.tsx'

/** An activation key: what it gives, how many places are left, how hosts register with it, and which differ from it. */
export function Page() {
  return <RecordPage plural="activation_keys" Above={Use} />
}
