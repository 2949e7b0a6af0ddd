import { readConfig } from '../src/config/config.ts'
import type { Database } from '../src/database/database.ts'
import { connect } from '../src/postgresql/connect.ts'
import { migrate } from '../src/postgresql/migrate.ts'
import { openApi } from '../src/service/service.ts'
import { sql } from '../src/sql.ts'
import { MIGRATIONS, quiet, testConfig } from '../test/support/settings.ts'
import { fillAudits } from './audits.ts'
import { type FleetSize, fillFleet } from './fleet.ts'
import { fillKeys } from './keys.ts'

/** The number of records in a database. Half of the users belong to the location that requests name. */
export interface Size extends FleetSize {
  readonly architectures: number
  readonly users: number
  /** The number of activation keys. */
  readonly keys: number
  /** The number of audits in place of those that filling wrote. */
  readonly audits?: number
}

/** The tokens of the callers. */
export interface People {
  /** A role with `view_*` without conditions, in one organization and one location. */
  readonly viewer: string
  /** A role whose filter has a search condition, so that totals are not the size of a table. */
  readonly limited: string
}

/** A database with data. */
export interface Stage {
  /** The environment of a service that uses it. */
  readonly env: Readonly<Record<string, string>>
  /** The address for the bare handler; null for the bundled one. */
  readonly url: string | null
  readonly size: Size
  readonly people: People
  /** The location that half of the users belong to. */
  readonly location: number
  readonly organization: number
}

/** The condition of the limited user's filter, which matches one name in 23. */
const LIMIT = 'name ~ 7f'
const ADMIN = { MILLWRIGHT_ADMIN_LOGIN: 'admin', MILLWRIGHT_ADMIN_PASSWORD: 'bench-password' }

/** The place of the data: the folder itself, or a database on a server. */
interface Place {
  readonly url: string | null
  readonly dataDir: string
}

/** Migrates and fills a new database: users through the API, other records by one statement for each table. */
export async function load(place: Place, size: Size): Promise<Stage> {
  const { url, dataDir } = place
  // The encryption keys lie in the data folder with either database.
  const env = { ...ADMIN, MILLWRIGHT_DATA_DIR: dataDir, ...(url !== null && { DATABASE_URL: url }) }
  const limits = { statementTimeoutMs: 3_600_000 }
  await using database = await connect(testConfig({ ...limits, ...(url === null ? { dataDir } : { url }) }), quiet)
  await migrate(database, MIGRATIONS)
  const { server } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  const send = async (path: string, payload: object): Promise<{ id: number; token_value: string }> => {
    const authorization = `Basic ${Buffer.from(`admin:${ADMIN.MILLWRIGHT_ADMIN_PASSWORD}`).toString('base64')}`
    const answer = await server.inject({ method: 'POST', url: path, headers: { authorization }, payload })
    if (answer.statusCode !== 201) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json()
  }
  const location = await send('/api/locations', { name: 'Berlin' })
  const organization = await send('/api/organizations', { name: 'Works' })
  const scope = { location_ids: [location.id], organization_ids: [organization.id] }
  const buildPerson = async (login: string, search: string | null) => {
    const role = await send('/api/roles', { name: login })
    for (const word of [
      'architectures',
      'users',
      'hosts',
      'hostgroups',
      'activation_keys',
      'facts',
      'params',
      'audit_logs',
    ]) {
      const permission_ids = await loadPermissionIds(database, `view_${word}`)
      await send('/api/filters', { role_id: role.id, permission_ids, search: word === 'architectures' ? search : null })
    }
    const user = { login, mail: 'a@example.test', auth_source_id: 1, password: 'bench-password', ...scope }
    const { id } = await send('/api/users', { user: { ...user, role_ids: [role.id] } })
    return (await send(`/api/users/${id}/personal_access_tokens`, { name: 'bench' })).token_value
  }
  const people = { viewer: await buildPerson('viewer', null), limited: await buildPerson('limited', LIMIT) }
  await fill(database, size, location.id, organization.id)
  await server.close()
  return {
    env,
    url,
    size,
    people,
    location: location.id,
    organization: organization.id,
  }
}

async function loadPermissionIds({ db }: Database, name: string): Promise<number[]> {
  const found = await sql<{ id: number }>`select id from permissions where name = ${name}`.execute(db)
  return found.rows.map(({ id }) => id)
}

/** Fills the tables with names of hexadecimal digits that look random and are equal in each run. */
async function fill({ db }: Database, size: Size, location: number, organization: number): Promise<void> {
  const { architectures, users } = size
  await sql`insert into architectures (name) select substr(md5(n::text), 1, 16) from generate_series(1, ${architectures}::int) n`.execute(
    db,
  )
  await sql`insert into operatingsystems (name, major) select 'System' || n, '1' from generate_series(1, 20) n`.execute(
    db,
  )
  await sql`insert into architecture_operatingsystems
    select a.id, o.id from (select id from architectures order by id limit 1000) a,
      lateral (select id from operatingsystems where (id + a.id) % 4 = 0) o`.execute(db)
  await sql`insert into images (name, uuid, username, architecture_id, operatingsystem_id)
    select 'image ' || n, md5(n::text), 'root', n % 500 + 1, 1 from generate_series(1, 1000) n`.execute(db)
  await sql`insert into locations (name, title, parent_id, ancestor_ids)
    select 'room ' || n, 'Berlin/room ' || n, ${location}::bigint, array[${location}::bigint] from generate_series(1, 20) n`.execute(
    db,
  )
  await sql`insert into locations (name, title) select 'city ' || n, 'city ' || n from generate_series(1, 100) n`.execute(
    db,
  )
  await sql`insert into users (login, mail, firstname, lastname, auth_source_id)
    select 'u' || substr(md5(n::text), 1, 12), n || '@example.test', 'First ' || n, 'Last ' || n, 1
    from generate_series(1, ${users}::int) n`.execute(db)
  await sql`insert into user_organizations select id, ${organization}::bigint from users where login like 'u%' on conflict do nothing`.execute(
    db,
  )
  await sql`insert into user_locations
    select u.id, case when u.id % 2 = 0 then ${location}::bigint else (select max(id) from locations) - u.id % 100 end
    from users u where u.login like 'u%' on conflict do nothing`.execute(db)
  await fillFleet(db, size, organization, location)
  await fillKeys(db, size.keys, organization)
  if (size.audits) await fillAudits(db, size.audits, organization, location)
  await sql`vacuum analyze`.execute(db)
}
