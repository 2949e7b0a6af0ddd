import { type Db, rows, type Sql } from '../../../database/sql.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { withAnnouncement } from './changes.ts'
import { digestSecret } from './secrets.ts'
import { computeIdleLimit } from './sessions.ts'

/** A session as its user may see it, without its secret. */
export interface OwnSession {
  readonly id: number
  readonly created_at: string
  readonly last_seen_at: string
  readonly address: string | null
  readonly user_agent: string | null
  readonly current: boolean
}

/** The user whose sessions are meant, the cookie of the request, and the idle timeout in minutes. */
export interface SessionOwner {
  readonly userId: number
  readonly cookie: string | null
  readonly idleMinutes: number
}

/** Lists the live sessions of a user, the last used first. */
export async function listOwnSessions(
  db: Db,
  owner: SessionOwner,
  { limit, offset }: { readonly limit: number | null; readonly offset: number },
): Promise<{ readonly total: number; readonly sessions: readonly OwnSession[] }> {
  const [counted, sessions] = await Promise.all([
    rows<{ total: number }>(db, sql`select count(*)::integer as total from sessions where ${selectCounting(owner)}`),
    rows<OwnSession>(
      db,
      sql`
        select ${selectSession(owner)} from sessions where ${selectCounting(owner)}
        order by sessions.last_seen_at desc, sessions.id desc limit ${limit} offset ${offset}`,
    ),
  ])
  return { total: counted[0]?.total ?? 0, sessions }
}

/** Ends one session of a user, or all but that of the request; yields the ended ones. */
export async function endOwnSessions(db: Db, owner: SessionOwner, which: number | 'others'): Promise<OwnSession[]> {
  const chosen =
    which === 'others' ? sql`token is distinct from ${digestOf(owner.cookie)}::bytea` : sql`id = ${which}::bigint`
  const ended = await rows<OwnSession>(
    db,
    sql`select ${selectSession(owner)} from sessions where ${selectCounting(owner)} and ${chosen} order by id`,
  )
  const ids = ended.map(({ id }) => id)
  if (ids.length > 0) await rows(db, withAnnouncement(sql`delete from sessions where id = any (${ids}::bigint[])`))
  return ended
}

function selectCounting({ userId, idleMinutes }: SessionOwner): Sql {
  return sql`user_id = ${userId} and last_seen_at >= now() - make_interval(secs => ${computeIdleLimit(idleMinutes) / 1000})`
}

function selectSession({ cookie }: SessionOwner): Sql {
  const time = (column: string) => sql`${selectMoment(sql.ref(`sessions.${column}`))} as ${sql.ref(column)}`
  return sql`
    id, ${time('created_at')}, ${time('last_seen_at')}, host(address) as address, user_agent,
    token is not distinct from ${digestOf(cookie)}::bytea as current`
}

function digestOf(cookie: string | null): Buffer | null {
  return cookie === null ? null : digestSecret(cookie)
}
