import { type Db, rows } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** Numbers of waiting and running entries of one queue, in all processes. */
export interface QueueState {
  readonly name: 'tasks' | 'config_runs'
  readonly waiting: number
  readonly running: number
  /** Seconds since the oldest waiting entry could have begun; 0 without one. */
  readonly oldest: number
}

/** Counts the entries of the queues. The cost depends on what is in them now, not on what has ended. */
export function listQueues(db: Db): Promise<QueueState[]> {
  return rows<QueueState>(
    db,
    sql`
      select name, waiting::integer, running::integer, coalesce(extract(epoch from now() - oldest), 0)::float8 as oldest
      from (
        select 'config_runs' as name, count(*) filter (where status = 'queued') as waiting,
          count(*) filter (where status = 'running') as running,
          min(greatest(created_at, coalesce(next_attempt_at, created_at)))
            filter (where status = 'queued' and coalesce(next_attempt_at, created_at) <= now()) as oldest
        from config_runs where status in ('queued', 'running')
        union all
        select 'tasks', count(*) filter (where state = 'planned'), count(*) filter (where state = 'running'),
          min(created_at) filter (where state = 'planned')
        from tasks where state <> 'stopped'
      ) queues order by name`,
  )
}
