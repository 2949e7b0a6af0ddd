import { generateKeyPairSync } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleResources } from '../../src/areas/index.ts'
import { row } from '../../src/database/sql.ts'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import { sql } from '../../src/sql.ts'
import { openBothListeners } from '../dialect/support.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Body, given, pathFor, type Shown, wrapped } from '../support/given.ts'
import { type Listener, startListener } from '../support/peers/listener.ts'

/**
 * Encrypted values that are sent nowhere, or answered to the hosts that they are for. Code that begins to send one has to declare
 * its destination.
 */
const STAYS_HERE = [
  ...['host', 'hostgroup'].map((name) => `${name}.root_pass`),
  'host.otp',
  'second_factor.secret',
  'webhook.former_secret',
  'webhook.secret',
]

const all = [...assembleResources().values()]
const secrets = all.flatMap((resource) =>
  resource.placed.filter(({ field }) => field.secret).map((placed) => ({ resource, placed })),
)
const sent = secrets.filter(({ placed }) => placed.field.secret?.sentTo.length)

describe('every secret', () => {
  test('says where it goes, in fields that requests can change', () => {
    expect(secrets.length).toBeGreaterThan(5)
    for (const { resource, placed } of secrets) {
      const name = `${resource.name}.${placed.name}`
      expect(placed.field.secret?.sentTo, name).toBeDefined()
      for (const field of placed.field.secret?.sentTo ?? [])
        expect(keyOf(resource, field), `${name}: ${field}`).toBeDefined()
    }
  })

  test('that is encrypted has a destination, one that is hashed has none', () => {
    const going = secrets.flatMap(({ resource, placed }) =>
      placed.field.secret?.encrypted || placed.field.secret?.sentTo.length ? [`${resource.name}.${placed.name}`] : [],
    )
    expect(going.sort()).toEqual(
      [...sent.map(({ resource, placed }) => `${resource.name}.${placed.name}`), ...STAYS_HERE].sort(),
    )
  })
})

let api: TestApi
let old: Heard
let other: Heard
beforeAll(async () => {
  ;[old, other] = [await listen(), await listen()]
  api = await openTestApi()
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await Promise.all([old?.[Symbol.asyncDispose](), other?.[Symbol.asyncDispose]()])
})

describe.each(sent.map((one) => ({ ...one, name: `${one.resource.name}.${one.placed.name}` })))('$name', (one) => {
  const { resource, placed, name } = one
  const destinations = placed.field.secret?.sentTo ?? []

  test.each(destinations)('is sent again with another %s, or cleared', async (field) => {
    const { path, record } = await stored(resource, placed)
    const change = { [keyOf(resource, field) ?? '']: otherValue(name, field) }
    const before = await everything(resource, record.id)
    const connected = connections()
    for (const { put, prefix } of ways(resource, path, record)) {
      const refused = await put(change)
      expect(refused.status, refused.text).toBe(422)
      expect(refused.body.error.errors).toEqual({
        [`${prefix}${placed.name}`]: [`has to be sent again, because this changes ${field}`],
      })
      expect(await everything(resource, record.id)).toEqual(before)
    }
    expect(connections()).toEqual(connected)
    const [own] = ways(resource, path, record)
    const resent = await own?.put({ ...change, [placed.name]: secretOf(placed, 1) })
    expect(resent?.status, resent?.text).toBe(200)
    const back = await own?.put({ [placed.name]: null, [keyOf(resource, field) ?? '']: record[field] })
    expect(back?.status, back?.text).toBe(200)
    const later = await own?.put(change)
    expect(later?.status, `nothing is left to be sent: ${later?.text}`).toBe(200)
  })

  test('is not asked for where nothing that decides changes', async () => {
    const { path, record } = await stored(resource, placed)
    const before = await everything(resource, record.id)
    const same = Object.fromEntries(destinations.map((field) => [keyOf(resource, field), record[field] ?? null]))
    const { status, text } = await api.admin.put(`${path}/${record.id}`, wrapped(resource, same))
    expect(status, text).toBe(200)
    expect(await everything(resource, record.id)).toEqual(before)
  })
})

test('the listener of existing clients asks for them, too', async () => {
  await using both = await openBothListeners()
  const { id } = await given(both.ours, 'auth_source_ldap', {
    ...BASES.auth_source_ldap?.(),
    account_password: 'secret',
  })
  const connected = connections()
  for (const suffix of ['', '/test']) {
    const refused = await both.theirs.put(`/api/auth_source_ldaps/${id}${suffix}`, {
      auth_source_ldap: { port: other.port },
    })
    expect(refused.status, refused.text).toBe(422)
    expect(refused.text).toContain('has to be sent again, because this changes port')
  }
  expect(connections()).toEqual(connected)
})

interface Way {
  readonly put: (change: Body) => Promise<Reply>
  /** The prefix of the field's name in errors. */
  readonly prefix: string
}

/** Lists every request that takes values for a stored record of this kind. */
function ways(resource: Resource, path: string, record: Shown): Way[] {
  const own = (suffix: string): Way => ({
    put: (change) => api.admin.put(`${path}/${record.id}${suffix}`, wrapped(resource, change)),
    prefix: '',
  })
  if (resource.name === 'auth_source_ldap' || resource.name === 'auth_source_oidc') return [own(''), own('/test')]
  if (resource.name !== 'interface') return [own('')]
  const host = path.replace(/\/interfaces$/, '')
  const asPart = (change: Body) =>
    api.admin.put(host, { host: { interfaces_attributes: [{ id: record.id, ...change }] } })
  return [own(''), { put: asPart, prefix: 'interfaces.' }]
}

/** Creates a record whose secret goes to `old`. */
async function stored(resource: Resource, placed: BoundField): Promise<{ path: string; record: Shown }> {
  const path = await pathFor(api.admin, resource)
  const body = { ...BASES[resource.name]?.(), [placed.name]: secretOf(placed, 0) }
  if (!resource.nestedOnly) return { path, record: await given(api.admin, resource.name, body) }
  const made = await api.admin.post(path, wrapped(resource, body))
  expect(made.status, made.text).toBe(201)
  return { path, record: made.body }
}

const BASES: Readonly<Record<string, () => Body>> = {
  auth_source_ldap: () => ({ host: '127.0.0.1', port: old.port, account: 'cn=service,dc=example' }),
  auth_source_oidc: () => ({ issuer: `http://127.0.0.1:${old.port}` }),
  smart_proxy: () => ({ runner: 'ssh', ssh_known_hosts: '* ssh-ed25519 AAAA' }),
  http_proxy: () => ({ url: 'http://proxy.example.test:3128' }),
  interface: () => ({ type: 'bmc', provider: 'IPMI', ip: '192.0.2.7', identifier: 'ipmi0' }),
  webhook: () => ({ target_url: `http://127.0.0.1:${old.port}/` }),
}

/** Yields another value than that of the record; a new destination needs one here. */
function otherValue(secret: string, field: string): unknown {
  const value = OTHERS[secret]?.[field]?.()
  if (value === undefined) throw new Error(`${secret}: say what else ${field} can be`)
  return value
}

/** What can be changed of a receiver of events. */
const RECEIVER: Readonly<Record<string, () => unknown>> = {
  target_url: () => `http://127.0.0.1:${other.port}/`,
  verify_ssl: () => false,
  ssl_ca_certs: () => rootCertificates[0],
}

const OTHERS: Readonly<Record<string, Readonly<Record<string, () => unknown>>>> = {
  'auth_source_oidc.client_secret': {
    issuer: () => `http://127.0.0.1:${other.port}`,
    ca_certificate: () => rootCertificates[0],
  },
  'auth_source_ldap.account_password': {
    host: () => `127.0.0.1:${other.port}`,
    port: () => other.port,
    tls: () => true,
    start_tls: () => true,
    ca_certificate: () => rootCertificates[0],
  },
  'smart_proxy.ssh_key': {
    runner: () => 'proxy',
    runner_command: () => ['sh'],
    ssh_user: () => 'operator',
    ssh_port: () => other.port,
    ssh_known_hosts: () => '* ssh-ed25519 BBBB',
  },
  'http_proxy.password': { url: () => 'http://proxy.example.test:3129' },
  'interface.password': {
    ip: () => '192.0.2.8',
    ip6: () => '2001:db8::8',
    name: () => 'elsewhere.example.test',
    provider: () => 'Redfish',
  },
  'webhook.http_headers': RECEIVER,
  'webhook.http_password': RECEIVER,
}

const keys = [0, 1].map(() =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
)

function secretOf({ name }: BoundField, index: 0 | 1): string | undefined {
  if (name === 'ssh_key') return keys[index]
  const secret = ['n0body-Shall-Read-This', 'the-Other-0ne'][index]
  return name === 'http_headers' ? JSON.stringify({ 'X-Key': secret }) : secret
}

function keyOf(resource: Resource, field: string): string | undefined {
  const placed = resource.placed.find(({ name }) => name === field)
  return placed && Object.keys(placed.field.writable(placed.at))[0]
}

/** Yields the stored row, and the number of audits. */
async function everything({ table }: Resource, id: number) {
  return row(
    api.database.db,
    sql`select to_jsonb(t) as stored, (select count(*) from audits) as audits from ${sql.table(table)} t where id = ${id}`,
  )
}

interface Heard extends Listener {
  readonly connections: () => number
}

async function listen(): Promise<Heard> {
  let count = 0
  const listener = await startListener(() => {
    count++
  })
  return { ...listener, connections: () => count }
}

function connections(): number[] {
  return [old.connections(), other.connections()]
}
