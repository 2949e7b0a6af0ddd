import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { type Program, ready, start } from '../cli/program.ts'
import { callerOf } from '../runs/program-world.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { clientBody } from './clients.ts'

// Content-api §2.7, §5.2: a complete registration uses a key, or none does, even when the process is killed in the middle.

const PLACES = 60
const HOSTS = 120

const place = await testDatabaseUrl()
const directory = mkdtempSync(join(tmpdir(), 'millwright-killed-'))
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await place?.drop()
})

test('kill -9 amid registrations: none is half done, those who ask again elsewhere get exactly the places there are', async () => {
  const env = { DATABASE_URL: place?.url ?? '', MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' }
  const [first, second] = [started(env), started(env)]
  const [doomed, other] = [await ready(first), await ready(second)]
  const owner = await ownerWithKey(other)
  await using database = await connect(testConfig({ url: place?.url ?? '' }), quiet)

  const registered = new Set<string>()
  const register = async (address: string, index: number): Promise<number | null> => {
    const name = `host${index}.example.test`
    const url = `${address}/rhsm/consumers?owner=${owner}&activation_keys=limited`
    const body = JSON.stringify(clientBody(name))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null)
    if (answer?.status === 200) registered.add(name)
    await answer?.text().catch(() => '')
    return answer?.status ?? null
  }
  const sent = Array.from({ length: HOSTS }, (_, index) => register(index % 2 ? other : doomed, index))
  await expect.poll(() => registered.size, { timeout: 30_000, interval: 5 }).toBeGreaterThan(10)
  first.process.kill('SIGKILL')
  await first.ended
  const statuses = await Promise.all(sent)
  const unheard = statuses.flatMap((status, index) => (status === null ? [index] : []))
  expect(unheard.length).toBeGreaterThan(0)
  const again = await Promise.all(unheard.map((index) => register(other, index)))
  expect([...statuses, ...again].filter((status) => ![null, 200, 409].includes(status))).toEqual([])

  const found = await row(
    database.db,
    sql`select (select count(*)::integer from registrations) as registrations,
      (select usage_count from activation_keys where name = 'limited') as used,
      (select count(*)::integer from activation_key_hosts) as places,
      (select count(*)::integer from hosts) as hosts,
      (select count(location_id)::integer from hosts) as located,
      (select count(*)::integer from host_environments) as environments,
      (select count(*)::integer from (select host_id from fact_values group by host_id having count(*) > 2) h) as with_facts,
      (select count(*)::integer from audits where action = 'create' and auditable_type like 'Host%') as audited`,
  )
  const whole = { registrations: PLACES, used: PLACES, places: PLACES, hosts: PLACES, environments: PLACES }
  // Their organization names no location: the only one that there is counts for it.
  expect(found).toEqual({ ...whole, located: PLACES, with_facts: PLACES, audited: PLACES })
  expect(registered.size).toBe(PLACES)
}, 120_000)

/** Creates an organization whose key `limited` allows few hosts, and yields its label. */
async function ownerWithKey(address: string): Promise<string> {
  const { get, post } = callerOf(address)
  const organization = await post('/api/organizations', { organization: { name: 'Site' } })
  const views = await get(`/content/api/organizations/${organization.id}/content_views`)
  const environments = await get(`/content/api/organizations/${organization.id}/environments`)
  const grants = { environment_id: environments.results[0].id, content_view_id: views.results[0].id }
  const activation_key = { name: 'limited', unlimited_hosts: false, max_hosts: PLACES, ...grants }
  await post('/content/api/activation_keys', { organization_id: organization.id, activation_key })
  return organization.label
}

function started(env: Record<string, string>): Program {
  const program = start(['--port', '0'], directory, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  return program
}
