import { RecordPage } from '../../resources/record/page.tsx'
import { Grid } from './grid.tsx'

/** The page of a role: its filters, and the number of records that each applies to. */
export function Page() {
  return <RecordPage plural="roles" Above={Grid} />
}
