import { RecordPage } from '../../resources/record/page.tsx'
import { Course } from './course.tsx'

/** A rollout: how far it is, and what failed first. */
export function Page() {
  return <RecordPage plural="config_rollouts" Above={Course} />
}
