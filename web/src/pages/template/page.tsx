import { RecordPage } from '../../resources/record/page.tsx'
import { Combinations } from './combinations.tsx'

/** The page of a template, with the host groups and environments that use it. */
export function Page() {
  return <RecordPage plural="provisioning_templates" Above={Combinations} />
}
