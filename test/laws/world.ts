import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Resource } from '../../src/kernel/resource.ts'
import { resources } from '../../src/resources/index.ts'
import { openTestApi, type TestApi, type UserOptions } from '../support/api.ts'
import { type Body, given, permissionId, targetOf } from '../support/given.ts'
import type { Pool } from './values.ts'

/** A service with a few records to point at, and one organization and location that limited callers belong to. */
export interface World {
  readonly api: TestApi
  readonly pool: Pool
  readonly organization: number
  readonly location: number
  /** Keys that put a new record where limited callers see it. */
  readonly inside: (resource: Resource) => Body
  /** A caller who belongs there and may do this, maybe only with records that a search finds. */
  readonly limited: (permissions: readonly string[], search?: string) => ReturnType<TestApi['can']>
}

export async function openWorld(): Promise<World> {
  const seed = Number(process.env.FC_SEED ?? randomInt(2 ** 31))
  console.log(`random data: FC_SEED=${seed} repeats it`)
  fc.configureGlobal({ seed })
  const api = await openTestApi()
  const organization = (await given(api.admin, 'organization')).id
  const location = (await given(api.admin, 'location')).id
  const there: UserOptions = { organization_ids: [organization], location_ids: [location] }
  return {
    api,
    pool: await fillPool(api),
    organization,
    location,
    inside: (resource) => {
      if (resource.name === 'organization') return { parent_id: organization }
      if (resource.name === 'location') return { parent_id: location }
      return resource.taxable ? { organization_ids: [organization], location_ids: [location] } : {}
    },
    limited: (permissions, search) => api.can(permissions, { ...there, ...(search !== undefined && { search }) }),
  }
}

/** Keeps when callers were last seen, which is stored to the minute, from moving in the middle of a comparison. */
export async function stopLastSeen({ database: { db } }: TestApi): Promise<void> {
  await sql`update users set last_login_on = now() + interval '1 day'`.execute(db)
  await sql`update personal_access_tokens set last_used_at = now() + interval '1 day'`.execute(db)
}

/** Two records of everything that some link points at. */
async function fillPool({ admin }: TestApi): Promise<Pool> {
  const pool: Record<string, number[]> = {
    auth_source: [1],
    permission: [await permissionId(admin, 'view_users'), await permissionId(admin, 'edit_users')],
  }
  const linked = [...resources().values()].flatMap(({ placed }) =>
    placed.filter(({ field }) => field.kind === 'link' || field.kind === 'links'),
  )
  for (const target of new Set(linked.map(targetOf))) {
    pool[target] ??= [(await given(admin, target)).id, (await given(admin, target)).id]
  }
  return pool
}
