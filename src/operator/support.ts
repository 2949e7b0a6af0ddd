import { listJobResults, listQueues } from '../areas/server/index.ts'
import { rows } from '../database/sql.ts'
import { listApplied } from '../postgresql/migrate.ts'
import { sql } from '../sql.ts'
import type { Workplace } from './workplace.ts'

/**
 * Describes the database for support: sizes, settings, queues, jobs. Nothing from stored records, and nothing that users
 * typed.
 */
export async function describeDatabase({ database }: Workplace): Promise<object> {
  const { db, kind } = database
  return {
    kind,
    migrations: (await listApplied(db)).length,
    connections: database.connections(),
    settings: await rows(
      db,
      sql`select name, setting, unit, source from pg_settings
        where name in (${sql.join(SETTINGS)}) order by name`,
    ),
    tables: await rows(
      db,
      sql`select relname as name, n_live_tup::float8 as rows, n_dead_tup::float8 as dead_rows,
          pg_table_size(relid)::float8 as bytes, pg_indexes_size(relid)::float8 as index_bytes,
          to_char(greatest(last_vacuum, last_autovacuum) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC') as vacuumed_at,
          to_char(greatest(last_analyze, last_autoanalyze) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC') as analyzed_at
        from pg_stat_user_tables order by pg_total_relation_size(relid) desc, relname`,
    ),
    activity: await rows(
      db,
      sql`select state, wait_event_type, count(*)::float8 as connections,
          coalesce(max(extract(epoch from now() - xact_start)), 0)::float8 as oldest_transaction_seconds
        from pg_stat_activity where datname = current_database() group by 1, 2 order by 3 desc`,
    ),
    queues: await listQueues(db),
    jobs: await listJobResults(db),
  }
}

const SETTINGS = [
  'autovacuum',
  'default_transaction_isolation',
  'effective_cache_size',
  'max_connections',
  'server_encoding',
  'server_version',
  'shared_buffers',
  'statement_timeout',
  'synchronous_commit',
  'work_mem',
]
