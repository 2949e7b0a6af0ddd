import { fillFleet } from '../../bench/fleet.ts'
import { sql } from '../../src/sql.ts'
import type { TestApi } from './api.ts'
import { given } from './given.ts'

/** Stores so many hosts in 50 nested groups, in a new organization and location. */
export async function givenFleet({ admin, database: { db } }: TestApi, hosts: number): Promise<void> {
  for (const name of ['architecture', 'operatingsystem']) await given(admin, name)
  const organization = (await given(admin, 'organization')).id
  const location = (await given(admin, 'location')).id
  await sql`insert into architectures (name) select 'arch ' || n from generate_series(1, 10) n`.execute(db)
  await sql`insert into operatingsystems (name, major) select 'System' || n, '1' from generate_series(1, 20) n`.execute(
    db,
  )
  await fillFleet(db, { hosts, hostgroups: 50 }, organization, location)
}
