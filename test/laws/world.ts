import fc from 'fast-check'
import { assembleResources } from '../../src/areas/index.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, openTestApi, type TestApi, type TestApiOptions, type UserOptions } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { type Body, given, permissionId, resourceNamed, type Shown, targetOf } from '../support/given.ts'
import { seedOfRun } from '../support/seed.ts'
import { HOME, HOSTS_AT_HOME, LIBRARY } from './content-values.ts'
import { fillContent } from './content-world.ts'
import { memberKey, type Pool } from './values.ts'

/** A service with a few records to link to, and the organization and location of limited callers. */
export interface World {
  readonly api: TestApi
  readonly pool: Pool
  readonly organization: number
  readonly location: number
  /** Yields keys that put a new record where limited callers see it. */
  readonly inside: (resource: Resource) => Body
  /** Creates a caller there with these permissions, optionally limited by a search, and with `also` for all records. */
  readonly limited: (
    permissions: readonly string[],
    search?: string,
    also?: readonly string[],
  ) => ReturnType<TestApi['can']>
}

export async function openWorld(options: TestApiOptions = {}): Promise<World> {
  const seed = seedOfRun()
  console.log(`random data: TEST_SEED=${seed} repeats it`)
  // Shrinking would run on other records than the failed example.
  fc.configureGlobal({ seed, endOnFailure: true })
  const opened = await openTestApi(options)
  const api = { ...opened, admin: wanting(opened.admin) }
  const organization = (await given(api.admin, 'organization')).id
  const location = (await given(api.admin, 'location')).id
  const there: UserOptions = { organization_ids: [organization], location_ids: [location] }
  const { product, view } = await fillContent(api, organization)
  return {
    api,
    pool: await fillPool(api, { organization, location }),
    organization,
    location,
    inside: (resource) => {
      if (resource.name === 'organization') return { parent_id: organization }
      if (resource.name === 'location') return { parent_id: location }
      if (resource.name === 'repository') return { product_id: product }
      if (resource.name === 'content_view_filter') return { content_view_id: view }
      if (resource.taxable === 'organization') return { organization_id: organization }
      if (resource.taxable === 'own') return { organization_id: organization, location_id: location }
      return resource.taxable ? { organization_ids: [organization], location_ids: [location] } : {}
    },
    limited: async (permissions, search, also = []) => {
      const caller = await api.can(permissions, { ...there, also, ...(search !== undefined && { search }) })
      return { ...caller, ...wanting(caller) }
    },
  }
}

/** Makes a caller request the written records in answers, also where this has to be asked for (RFC 7240). */
function wanting(caller: Caller): Caller {
  const prefer = { prefer: 'return=representation' }
  return {
    ...caller,
    put: (path, body, headers) => caller.put(path, body, { ...prefer, ...headers }),
    delete: (path, body, headers) => caller.delete(path, body, { ...prefer, ...headers }),
    send: (options) => caller.send({ ...options, headers: { ...prefer, ...options.headers } }),
  }
}

/**
 * Keeps what changes as time passes from changing during a comparison: when callers were last seen, which is stored to the
 * minute, and how long ago versions of views were published, which answers say in words.
 */
export async function stopClocks({ database: { db } }: TestApi): Promise<void> {
  await sql`update users set last_login_on = now() + interval '1 day'`.execute(db)
  await sql`update personal_access_tokens set last_used_at = now() + interval '1 day'`.execute(db)
  await sql`update content_view_versions set created_at = now() - interval '500 days'`.execute(db)
  await sql`update content_view_environments set promoted_at = now() - interval '500 days'`.execute(db)
}

/** Creates two records of everything that a link may refer to, and two that may be put into a taxonomy. */
async function fillPool(api: TestApi, place: Place): Promise<Pool> {
  const { admin } = api
  const environments = [(await given(admin, 'environment')).id, (await given(admin, 'environment')).id]
  const pool: Record<string, number[]> = {
    auth_source: [1],
    environment: environments,
    configclass: await importedClasses(api, environments, place),
    config_rollout: await rollouts(admin, place),
    config_report: await reports(admin, place),
    template_kind: await templateKinds(admin),
    [HOSTS_AT_HOME]: [await hostAtHome(admin), await hostAtHome(admin)],
    [LIBRARY]: await library(admin),
    permission: [await permissionId(admin, 'view_users'), await permissionId(admin, 'edit_users')],
  }
  const linked = [...assembleResources().values()].flatMap(({ placed }) =>
    placed.filter(({ field }) => field.kind === 'link' || field.kind === 'links'),
  )
  for (const target of new Set(linked.map(targetOf))) {
    // Records that only the service creates are linked to in tests of their own.
    if (!resourceNamed(target).operations.includes('create')) continue
    pool[target] ??= [(await given(admin, target)).id, (await given(admin, target)).id]
  }
  for (const target of membersOf('organization').concat(membersOf('location')))
    pool[memberKey(target)] ??= [(await given(admin, target)).id, (await given(admin, target)).id]
  return pool
}

/** Lists the keys of members that requests may put into a taxonomy. */
function membersOf(taxonomy: string): string[] {
  return resourceNamed(taxonomy)
    .placed.filter(({ field, at }) => field.kind === 'links' && Object.keys(field.writable(at)).length > 0)
    .map(targetOf)
}

/** Inserts two classes with a parameter each, in all of these environments, and two imports, as an importer does. */
async function importedClasses(api: TestApi, environment_ids: readonly number[], place: Place): Promise<number[]> {
  const proxy = await proxyAt(api.admin, place)
  const ids: number[] = []
  const kinds: readonly Readonly<Record<string, string | boolean>>[] = [
    {},
    { hidden_value: true, parameter_type: 'integer' },
  ]
  for (const columns of kinds) {
    const configclass = await given(api.admin, 'configclass', { environment_ids })
    await importedParameter(api, { configclass, columns })
    ids.push(configclass.id)
  }
  await sql`insert into class_imports (smart_proxy_id, source, user_id, requested_by, status, message, environments, environments_done, finished_at)
    values (${proxy}, 'https://classes.example.test', 1, 'admin', 'finished', 'all done', 2, 2, now()),
      (${proxy}, '/srv/classes', null, null, 'failed', null, 2, 1, now())`.execute(api.database.db)
  return ids
}

async function hostAtHome(admin: Caller): Promise<number> {
  return (await given(admin, 'host', { organization_id: HOME })).id
}

async function library(admin: Caller): Promise<number[]> {
  const { body } = await admin.get(`/content/api/environments?library=true&organization_id=${HOME}`)
  return body.results.map(({ id }: Shown) => id)
}

interface Place {
  readonly organization: number
  readonly location: number
}

/** Creates two rollouts with two runs, which nobody executes. */
async function rollouts(admin: TestApi['admin'], { organization, location }: Place): Promise<number[]> {
  await admin.put('/api/settings/configrun', { setting: { value: true } })
  const config_proxy_id = await proxyAt(admin, { organization, location })
  const made = [0, 1].map(async () => {
    const keys = { config_proxy_id, organization_id: organization, location_id: location }
    const { name } = await given(admin, 'host', keys)
    const { body } = await admin.post('/api/config_rollouts', { config_rollout: { search: `name = ${name}` } })
    return body.id
  })
  return Promise.all(made)
}

/** Uploads six reports of one host. */
async function reports(admin: Caller, { organization, location }: Place): Promise<number[]> {
  const { name: host } = await given(admin, 'host', { organization_id: organization, location_id: location })
  const ids: number[] = []
  for (let minutes = 0; minutes < 6; minutes++) {
    const reported_at = new Date(Date.now() - minutes * 60_000).toISOString()
    const sent = { config_report: { host, reported_at, status: {}, metrics: {} } }
    ids.push((await admin.post('/api/config_reports', sent)).body.id)
  }
  return ids
}

async function proxyAt(admin: TestApi['admin'], { organization, location }: Place): Promise<number> {
  return (await given(admin, 'smart_proxy', { organization_ids: [organization], location_ids: [location] })).id
}

async function templateKinds(admin: TestApi['admin']): Promise<number[]> {
  const { body } = await admin.get('/api/template_kinds?per_page=all')
  return body.results.map(({ id }: { id: number }) => id)
}
