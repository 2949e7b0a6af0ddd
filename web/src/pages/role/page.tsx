import { RecordPage } from '../../resources/record/page.tsx'
import { Grid } from './grid.tsx'

/** A role: its filters, and how many records each of them is about. */
export function Page() {
  return <RecordPage plural="roles" Above={Grid} />
}
