import { RecordPage } from '../../resources/record/page.tsx'
import { Live } from './live.tsx'

/** The page of a run: its output while it goes on, and how it ended. */
export function Page() {
  return <RecordPage plural="config_runs" Above={Live} />
}
