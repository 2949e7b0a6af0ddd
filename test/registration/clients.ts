import { hash } from 'node:crypto'
import { sql } from '../../src/sql.ts'
import { expectCreated, type Reply, type TestApi } from '../support/api.ts'
import { unique } from '../support/given.ts'

/** Configuration in which tests present a certificate in headers, like a web server in front. */
export const BEHIND_PROXY = { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' }

/** An organization with its Library and default view. */
export interface Site {
  readonly id: number
  readonly label: string
  readonly library: number
  readonly view: number
}

/** Creates an organization in which hosts register. */
export async function newSite(api: TestApi): Promise<Site> {
  const { id } = await expectCreated(
    api.admin.post('/api/organizations', { organization: { name: unique('Site'), location_ids: [1] } }),
  )
  const { rows } = await sql<Site>`
    select o.id, o.label, l.environment_id as library, l.content_view_id as view
    from organizations o join content_views v on v.organization_id = o.id join content_view_environments l on l.content_view_id = v.id
    where o.id = ${id}`.execute(api.database.db)
  if (!rows[0]) throw new Error('an organization without a Library')
  return rows[0]
}

/** Creates a key whose hosts get the content of the Library, and yields its id. */
export async function newKey(api: TestApi, site: Site, name: string, further: object = {}): Promise<number> {
  const key = { name, environment_id: site.library, content_view_id: site.view, ...further }
  const made = await expectCreated(
    api.admin.post('/content/api/activation_keys', { organization_id: site.id, activation_key: key }),
  )
  return made.id
}

/** Builds what a client sends about a host with this name, always the same machine. */
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

/** Yields the DMI UUID of the machine with this name. */
export function machineUuid(name: string): string {
  return hash('md5', name.toLowerCase()).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Registers like a client that only has keys. */
export function register(api: TestApi, site: Site, keys: string, body: object, further = ''): Promise<Reply> {
  const query = `owner=${site.label}&activation_keys=${encodeURIComponent(keys)}${further}`
  return api.nobody.post(`/rhsm/consumers?${query}`, body)
}

/** Yields the headers of a web server that has verified this certificate. */
export function showing(certificate: string): Record<string, string> {
  return { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_CERT: encodeURIComponent(certificate) }
}

/** Counts the uses of a key. */
export async function usageOf(api: TestApi, key: number): Promise<number> {
  const { rows } = await sql<{ usage_count: number }>`
    select usage_count from activation_keys where id = ${key}`.execute(api.database.db)
  return rows[0]?.usage_count ?? -1
}
