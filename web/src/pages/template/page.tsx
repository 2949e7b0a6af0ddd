import { RecordPage } from '../../resources/record/page.tsx'
import { Combinations } from './combinations.tsx'

/** A template, and which host groups and environments take it. */
export function Page() {
  return <RecordPage plural="provisioning_templates" Above={Combinations} />
}
