import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reply, TestApi } from '../support/api.ts'
import { expectCreated } from '../support/api.ts'
import { unique } from '../support/given.ts'

/** Configuration by which tests can say in headers which certificate they come with, as a web server in front would. */
export const BEHIND_PROXY = { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' }

/** An organization with what every organization has: a Library and a default view. */
export interface Site {
  readonly id: number
  readonly label: string
  readonly library: number
  readonly view: number
}

/** A new organization to register hosts in. */
export async function newSite(api: TestApi): Promise<Site> {
  const { id } = await expectCreated(api.admin.post('/api/organizations', { organization: { name: unique('Site') } }))
  const { rows } = await sql<Site>`
    select o.id, o.label, l.environment_id as library, l.content_view_id as view
    from organizations o join content_views v on v.organization_id = o.id join content_view_environments l on l.content_view_id = v.id
    where o.id = ${id}`.execute(api.database.db)
  if (!rows[0]) throw new Error('an organization without a Library')
  return rows[0]
}

/** A key that has hosts get what is in the Library. Yields its id. */
export async function newKey(api: TestApi, site: Site, name: string, further: object = {}): Promise<number> {
  const key = { name, environment_id: site.library, content_view_id: site.view, ...further }
  const made = await expectCreated(
    api.admin.post('/content/api/activation_keys', { organization_id: site.id, activation_key: key }),
  )
  return made.id
}

/** What a client sends of a host with this name: the same machine each time. */
export function clientBody(name: string, further: object = {}, facts: object = {}): object {
  return {
    type: 'system',
    name,
    facts: {
      ...{ 'network.hostname': name, 'uname.machine': 'x86_64', 'memory.memtotal': 4_000_000 },
      ...{ 'dmi.system.uuid': machineUuid(name), ...facts },
    },
    ...further,
  }
}

/** What the firmware of the machine with this name says that it is. */
export function machineUuid(name: string): string {
  return hash('md5', name.toLowerCase()).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Registers as a client does that has only keys. */
export function register(api: TestApi, site: Site, keys: string, body: object, further = ''): Promise<Reply> {
  const query = `owner=${site.label}&activation_keys=${encodeURIComponent(keys)}${further}`
  return api.nobody.post(`/rhsm/consumers?${query}`, body)
}

/** Headers of a web server that has verified this certificate. */
export function showing(certificate: string): Record<string, string> {
  return { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_CERT: encodeURIComponent(certificate) }
}

/** How many hosts hold a place of a key. */
export async function usageOf(api: TestApi, key: number): Promise<number> {
  const { rows } = await sql<{ usage_count: number }>`
    select usage_count from activation_keys where id = ${key}`.execute(api.database.db)
  return rows[0]?.usage_count ?? -1
}
