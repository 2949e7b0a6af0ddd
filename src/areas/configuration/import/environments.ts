import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { type ImportCause, recordImportAudits } from './audits.ts'
import type { RememberedContent } from './source.ts'

/** A stored environment, as imports need it. */
export interface StoredEnvironment extends RememberedContent {
  readonly id: number
  readonly name: string
  /** Whether the caller may see it. */
  readonly isSeen: boolean
  /** Whether hosts or host groups are in it. */
  readonly isUsed: boolean
  /** Whether it was imported from another source, which still exists. */
  readonly isOthers: boolean
}

/** The importer, with the organizations and locations for new environments. */
export interface Importer extends ImportCause {
  readonly user: ImportCause['user'] & {
    readonly admin: boolean
    readonly organizations: readonly number[]
    readonly locations: readonly number[]
  }
}

/** Loads all environments by name; `seen` is the condition on a row `t` that the caller may see it. */
export async function loadEnvironments(
  db: Db,
  sourceKey: string,
  seen: Sql,
): Promise<ReadonlyMap<string, StoredEnvironment>> {
  const found = await rows<StoredEnvironment>(
    db,
    sql`select t.id, t.name, (${seen}) as "isSeen", (${isUsed('t.id')}) as "isUsed",
        case when s.source = ${sourceKey} then s.content_hash end as hash,
        case when s.source = ${sourceKey} then s.etag end as etag,
        coalesce(s.source <> ${sourceKey} and (s.source not like 'smart_proxy:%' or exists (
          select from smart_proxies p where 'smart_proxy:' || p.id = s.source)), false) as "isOthers"
      from environments t left join environment_sources s on s.environment_id = t.id order by t.name`,
  )
  return new Map(found.map((environment) => [environment.name, environment]))
}

/** Loads the id of an environment by name; null without one. */
export async function loadEnvironmentByName(db: Db, name: string): Promise<number | null> {
  return (await row<{ id: number }>(db, sql`select id from environments where name = ${name}`))?.id ?? null
}

/** Creates an environment in all organizations and locations of the importer (an administrator: in all). Yields its id. */
export async function createEnvironment(tx: Db, importer: Importer, name: string): Promise<number> {
  const made = await row<{ id: number }>(
    tx,
    sql`insert into environments (name) values (${name}) on conflict (name) do nothing returning id`,
  )
  if (!made) return (await loadEnvironmentByName(tx, name)) ?? 0
  const { admin, organizations, locations } = importer.user
  const places = { organization: organizations, location: locations }
  for (const [kind, ids] of Object.entries(places)) {
    const column = sql.ref(`${kind}_id`)
    await sql`insert into ${sql.table(`environment_${kind}s`)} (environment_id, ${column})
      select ${made.id}::bigint, id from ${sql.table(`${kind}s`)}
      where ${admin} or id = any (${ids}::bigint[])`.execute(tx)
  }
  await recordImportAudits(tx, importer, 'create', 'Environment', [{ id: made.id, name, changes: { name } }])
  return made.id
}

/** Locks an environment that nobody uses; false when it is gone or used. */
export async function lockUnusedEnvironment(tx: Db, id: number): Promise<boolean> {
  const free = await row(
    tx,
    sql`select t.id from environments t where t.id = ${id} and not (${isUsed('t.id')}) for update of t`,
  )
  return free !== undefined
}

/** Deletes an environment that the source no longer has. */
export async function deleteEnvironment(tx: Db, cause: ImportCause, id: number, name: string): Promise<void> {
  await recordImportAudits(tx, cause, 'destroy', 'Environment', [{ id, name, changes: { name } }])
  await sql`delete from environments where id = ${id}`.execute(tx)
}

/** Stores what was read of an environment. Without a hash the next import reads and compares the environment again. */
export async function rememberSource(
  tx: Db,
  environmentId: number,
  sourceKey: string,
  known: RememberedContent,
): Promise<void> {
  await sql`
    insert into environment_sources (environment_id, source, content_hash, etag)
    values (${environmentId}, ${sourceKey}, ${known.hash}, ${known.etag})
    on conflict (environment_id) do update
      set source = excluded.source, content_hash = excluded.content_hash, etag = excluded.etag, imported_at = now()`.execute(
    tx,
  )
}

function isUsed(id: string): Sql {
  return sql`exists (select from hosts h where h.environment_id = ${sql.ref(id)})
    or exists (select from hostgroups g where g.environment_id = ${sql.ref(id)})`
}
