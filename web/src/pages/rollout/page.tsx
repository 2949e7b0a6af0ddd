import { RecordPage } from '../../resources/record/page.tsx'
import { Course } from './course.tsx'

/** The page of a rollout: its progress, and what failed first. */
export function Page() {
  return <RecordPage plural="config_rollouts" Above={Course} />
}
