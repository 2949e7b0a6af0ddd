import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listEncryptedColumns } from '../../src/areas/index.ts'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { type EncryptedColumn, encryptionOf, purposeOf } from '../../src/encryption/encryption.ts'
import { openEncrypted, selectEncrypted } from '../../src/encryption/hidden-values.ts'
import type { BoundField, Resource } from '../../src/kernel/definition.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { type Program, ready, run, start } from '../cli/program.ts'
import { openReceiver, type Receiver } from '../events/receiver.ts'
import { basic, type Caller, expectCreated, type Reply } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { declared } from '../support/declared.ts'
import { type Body, leastBody, pathFor, unique, wrapped } from '../support/given.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { PRIVATE_KEY } from './values.ts'

// A mark is planted in each secret field that a resource declares, and each encrypted column is read back with the key. None of this is
// in anything that the service writes or sends: answers, errors, audits, events, webhooks, logs of all levels, support files, backups.

const ADMIN = { login: 'admin', password: `canary-of-admin-${randomBytes(9).toString('hex')}` }
const LOGS = { MILLWRIGHT_LOG_LEVEL: 'trace', MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.0/8', MILLWRIGHT_PASSWORD_MEMORY: '8' }
const PASSPHRASE = `canary-of-backups-${randomBytes(9).toString('hex')}`

/** What the service has said: where, the text, and whether it may tell new secrets once. */
const said: { readonly where: string; readonly text: string; readonly isOnce?: boolean }[] = []
let folder: string
let env: Record<string, string>
let place: Awaited<ReturnType<typeof testDatabaseUrl>>
let program: Program
let database: Database
let receiver: Receiver
let admin: Caller
let address: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'canary-'))
  place = await testDatabaseUrl()
  const secrets = { MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password, MILLWRIGHT_BACKUP_PASSPHRASE: PASSPHRASE }
  env = { DATABASE_URL: place.url, ...secrets, ...LOGS }
  program = start(['--port', '0', '--data-dir', 'data'], folder, env)
  address = await ready(program)
  database = await connect(testConfig({ url: place.url }), quiet)
  receiver = await openReceiver()
  admin = createCaller({ authorization: basic(ADMIN.login, ADMIN.password) })
}, 120_000)
afterAll(async () => {
  program?.process.kill('SIGKILL')
  await receiver?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  await place?.drop()
  rmSync(folder, { recursive: true, force: true })
})

function createCaller(own: Record<string, string>): Caller {
  const ask = async (method: string, path: string, body?: string, more = {}): Promise<Reply> => {
    const headers = { 'content-type': 'application/json', ...own, ...more }
    const reply = await fetch(`${address}${path}`, { method, headers, ...(body !== undefined && { body }) })
    const text = await reply.text()
    const isJson = String(reply.headers.get('content-type')).startsWith('application/json') && text !== ''
    const all = `${JSON.stringify([...reply.headers])} ${text}`
    said.push({
      where: `${method} ${path}: ${reply.status}`,
      text: all,
      isOnce: reply.status === 201 || path.endsWith('/rotate_secret'),
    })
    return {
      status: reply.status,
      text,
      body: isJson ? JSON.parse(text) : undefined,
      headers: Object.fromEntries(reply.headers),
    }
  }
  const carrying = (method: string) => (path: string, body?: unknown, headers?: object) =>
    ask(method, path, body === undefined ? undefined : JSON.stringify(body), headers)
  return {
    get: (path, headers) => ask('GET', path, undefined, headers),
    ...{ post: carrying('POST'), put: carrying('PUT'), delete: carrying('DELETE') },
    send: ({ method = 'GET', url, payload }) => ask(method, String(url), String(payload)),
  }
}

/** A secret field, and the key that writes it; undefined for one that no request writes. */
interface Secret {
  readonly resource: Resource
  readonly placed: BoundField
  readonly key: string | undefined
}

const SECRETS: readonly Secret[] = [...declared.registry.values()].flatMap((resource) =>
  resource.placed
    .filter(({ field }) => field.secret || field.maskedBy !== undefined)
    .map((placed) => ({ resource, placed, key: Object.keys(placed.field.writable(placed.at))[0] })),
)

/** Values of fields that are not any text, with the mark in them. */
const FORMS: Readonly<Record<string, (mark: string) => string>> = {
  'webhook.http_headers': (mark) => JSON.stringify({ 'X-Key': mark }),
  'smart_proxy.ssh_key': () => PRIVATE_KEY,
}

/** Further keys of records. */
const FURTHER: Readonly<Record<string, () => Body>> = {
  auth_source_ldap: () => ({ account: 'cn=service' }),
  http_proxy: () => ({ username: 'service' }),
  webhook: () => ({ target_url: receiver.url, events: ['*'], http_user: 'service' }),
  host: () => ({ build: true }),
  interface: () => ({ type: 'bmc', mac: '52:54:00:aa:bb:01', provider: 'IPMI' }),
  override_value: () => ({ match: 'os=Any', hidden_value: undefined }),
}

/** Paths below records that requests do not create. */
const PATHS: Readonly<Record<string, () => Promise<string>>> = {
  second_factor: async () => '/api/users/admin/second_factors',
  override_value: async () => `${await newClassParameter({ hidden_value: true })}/override_values`,
}

async function newClassParameter(body: Body): Promise<string> {
  const columns = { override: true, parameter_type: 'string' }
  const { id } = await importedParameter({ admin, database }, { columns })
  const path = `/api/smart_class_parameters/${id}`
  expect((await admin.put(path, { smart_class_parameter: body })).status).toBe(200)
  return path
}

/** Columns that nothing fills any more. */
const FORMER = ['deferred_requests.request', 'deferred_requests.answer', 'deferred_parts.outcome']

interface Planted extends Secret {
  /** The path of its kind, and its own. */
  readonly path: string
  readonly own: string
  readonly mark: string
}

/** Creates a record for each secret field, with the mark in it. */
async function plant(): Promise<readonly Planted[]> {
  const planted: Planted[] = []
  for (const secret of SECRETS) {
    const { resource, placed, key } = secret
    const name = `${resource.name}.${placed.name}`
    const mark =
      name in FORMS && name !== 'webhook.http_headers' ? PRIVATE_KEY : `canary-${randomBytes(12).toString('hex')}`
    const isSent = key !== undefined && key !== 'current_password'
    const value = isSent ? { [key]: FORMS[name]?.(mark) ?? mark } : {}
    const body = { ...value, ...(placed.field.maskedBy !== undefined && { [placed.field.maskedBy]: true }) }
    if (resource.name === 'smart_class_parameter') {
      planted.push({ ...secret, mark, path: resource.path, own: await newClassParameter(body) })
      continue
    }
    const path = (await PATHS[resource.name]?.()) ?? (await pathFor(admin, resource))
    const sent = { ...(await leastBody(admin, resource.name, body)), ...body }
    const further = FURTHER[resource.name]?.()
    const { id } = await expectCreated(admin.post(path, wrapped(resource, { ...sent, ...further })))
    planted.push({ ...secret, mark, path, own: `${path}/${id}` })
  }
  return planted
}

/** Sends what is refused, with the mark in it. */
async function provoke({ resource, placed, key, mark, path, own }: Planted): Promise<void> {
  const { maskedBy } = placed.field
  const refuse = (value: unknown, more: Body = {}) =>
    wrapped(resource, { ...more, [key ?? 'name']: value, ...(maskedBy !== undefined && { [maskedBy]: true }) })
  if (key !== undefined) {
    for (const value of [{ a: mark }, [mark], `${mark}${'x'.repeat(70_000)}`])
      await admin.post(path, refuse(value, { name: unique('refused') }))
    await admin.put(own, refuse(mark, { id: 'x', name: 'x'.repeat(300) }))
    await admin.post('/api/batch', { requests: [{ method: 'POST', path, body: refuse({ a: mark }) }] })
  }
  await admin.send({ method: 'POST', url: path, payload: JSON.stringify(refuse(mark)).slice(0, -2) })
  const word = mark.replaceAll('\n', '')
  for (const authorization of [basic('admin', word), `Bearer ${word}`])
    await createCaller({ authorization }).get('/api/status')
  // The answer repeats the login, to whoever has sent it.
  await fetch(`${address}/api/status`, { headers: { authorization: basic(word, 'x') } })
}

/** Reads what may tell of the records, and lets the service use their secrets. */
async function use({ path, own }: Planted): Promise<void> {
  const past = `as_of=${new Date().toISOString()}`
  for (const url of [`${path}?per_page=all`, own, `${own}/history`, `${own}?${past}`, `${path}?${past}`])
    await admin.get(url)
  for (const action of ['test', 'refresh']) await admin.put(`${own}/${action}`, {})
  for (const action of ['test', 'rotate_secret']) await admin.post(`${own}/${action}`, {})
}

const EVERYWHERE = ['audits', 'events', 'tasks', 'login_events', 'settings', 'webhooks', 'hosts', 'hostgroups', 'users']

/** Decrypts all that is encrypted, by column. */
async function listDecrypted(): Promise<ReadonlyMap<string, readonly string[]>> {
  const keys = encryptionOf(
    { encryptionKeyFile: null, databaseUrl: place.url, dataDir: join(folder, 'data') },
    'existing',
  )
  if (!keys) throw new Error('there is no key file')
  const open = async (column: EncryptedColumn) => {
    const named = (column.row ?? []).map((name) => sql`t.${sql.ref(name)}::text`)
    const found = await rows<{ text: string; row: readonly string[] }>(
      database.db,
      sql`select ${selectEncrypted(column, 't')} as text, array[${sql.join(named)}]::text[] as row from ${sql.table(column.table)} t
        where ${selectEncrypted(column, 't')} is not null`,
    )
    const texts = found.map(({ text, row }) => openEncrypted(keys, column, text, purposeOf(column, ...row)))
    return [`${column.table}.${column.column}`, texts] as const
  }
  return new Map(await Promise.all(listEncryptedColumns(declared.registry).map(open)))
}

/** The forms in which a secret may appear; of several lines, the longest line. */
function listForms(secret: string): readonly string[] {
  const [line = ''] = secret.split('\n').sort((a, b) => b.length - a.length)
  const plain = /^"(.*)"$/.exec(line)?.[1] ?? line
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${'x'.repeat(shift)}${plain}`).toString('base64')
    return text.slice(4, Math.floor((shift + plain.length) / 3) * 4)
  })
  return [plain, encodeURIComponent(plain), Buffer.from(plain).toString('hex'), ...base64]
}

test('no secret is in what the service writes and sends', async () => {
  await admin.put('/api/settings/failed_login_attempts_limit', { setting: { value: 0 } })
  const planted = await plant()
  const decrypted = await listDecrypted()
  const empty = [...decrypted].flatMap(([name, texts]) => (texts.length > 0 ? [] : [name]))
  expect(empty.filter((name) => !FORMER.includes(name))).toEqual([
    'webhooks.former_secret',
    'certificate_authorities.key',
  ])
  for (const one of planted) await use(one)
  for (const one of planted) await provoke(one)
  for (const name of EVERYWHERE) await admin.get(`/api/${name}?per_page=all`)
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(20), { timeout: 30_000, interval: 100 })
  for (const { text, path } of receiver.received) said.push({ where: `webhook ${path}`, text })
  for (const words of [['config'], ['doctor'], ['support', 'report.json'], ['backup', 'all.backup']]) {
    const { code, stdout, stderr } = await run([...words, '--data-dir', 'data'], folder, env)
    // Findings about records that cannot be reached are no reason to stop.
    expect([words, code]).toEqual([words, words[0] === 'doctor' ? 1 : 0])
    said.push({ where: words.join(' '), text: stdout }, { where: `${words.join(' ')}: errors`, text: stderr })
  }
  said.push({ where: 'support file', text: readFileSync(join(folder, 'report.json'), 'utf8') })
  said.push({ where: 'backup', text: gunzipSync(readFileSync(join(folder, 'all.backup'))).toString('utf8') })
  said.push({ where: 'log', text: program.stderr() }, { where: 'output', text: program.stdout() })
  for (const name of readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' }))
    if (/\.(?:log|json|txt)$/.test(name))
      said.push({ where: name, text: readFileSync(join(folder, 'data', name), 'utf8') })
  expect(program.stderr()).toContain('"trace"')

  const marks = [...planted.map(({ mark }) => mark), ADMIN.password, PASSPHRASE]
  const made = [...(await listDecrypted()).values()].flat()
  expect(
    planted.filter(({ mark, placed }) => placed.field.secret?.encrypted && !made.some((text) => text.includes(mark)))
      .length,
  ).toBeGreaterThan(0)
  expect(findTelling(marks, said)).toEqual([])
  expect(
    findTelling(
      made,
      said.filter(({ isOnce }) => !isOnce),
    ),
  ).toEqual([])
}, 240_000)

function findTelling(secrets: readonly string[], all: typeof said): readonly string[] {
  const forms = [...new Set(secrets.flatMap(listForms))].filter((form) => form.length >= 8)
  return all.flatMap(({ where, text }) => {
    const found = forms.filter((form) => text.includes(form))
    return found.map(
      (form) =>
        `${where} has ${form.slice(0, 60)} in ...${text.slice(Math.max(0, text.indexOf(form) - 80), text.indexOf(form) + 20)}`,
    )
  })
}
