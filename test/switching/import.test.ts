import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import type { Report } from '../../src/switching/report.ts'
import { run, start } from '../cli/program.ts'
import { type Random, randomFrom } from '../fuzz/random.ts'
import { openWorld, type World } from '../laws/world.ts'
import { ADMIN, basic, type Reply, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { spawnSync } from '../support/processes.ts'
import { seedOfRun } from '../support/seed.ts'
import { listAll } from './all-records.ts'
import { circle, FAULTS, plant } from './faults.ts'
import { openHere } from './here.ts'
import { type OldPeer, serveOld } from './old-server.ts'
import { fillOld } from './old-world.ts'

let old: World
let peer: OldPeer
let here: TestApi
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  old = await openWorld({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  await fillOld(old)
  peer = await serveOld(old.api)
  folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  writeFileSync(join(folder, 'password'), `${ADMIN.password}\n`)
  const opened = await openHere(folder)
  here = opened.api
  env = opened.env
}, 240_000)

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  await old?.api[Symbol.asyncDispose]()
})

const LOGIN = ['--user', ADMIN.login, '--password-file', 'password'] as const

/** Imports with the command, as a person does. */
async function importOld(...flags: string[]): Promise<Report> {
  const { code, stdout, stderr } = await run(['import', 'server', peer.url, ...LOGIN, '--json', ...flags], folder, env)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

async function undo(): Promise<{ readonly removed: number; readonly kept: readonly unknown[] }> {
  const { code, stdout, stderr } = await run(['import', 'undo', '--json'], folder, env)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

test('a plan stores nothing, an import makes both servers equal, again it changes nothing, an undo empties it', {
  timeout: 900_000,
}, async () => {
  const empty = await listAll(here.admin)
  const plan = await importOld('--plan')
  expect(await listAll(here.admin)).toEqual(empty)
  const { totals, kinds } = await importOld('--secrets-file', 'secrets.json')
  expect(plan.totals).toEqual(totals)
  expect(kinds.host).toMatchObject({ there: 8, created: 8, changed: 0, left: 0, refused: 0 })
  expect(totals.refused).toBe(0)
  const secrets = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))
  expect(secrets).toContainEqual({ kind: 'user', record: ADMIN.login, key: 'password' })
  const there = await listAll(old.api.admin)
  const taken = await listAll(here.admin)
  for (const [kind, records] of Object.entries(there)) expect.soft(taken[kind], kind).toEqual(records)
  expect(peer.most()).toBeLessThanOrEqual(2)
  const again = await importOld()
  expect(again.totals).toMatchObject({
    created: 0,
    changed: 0,
    refused: 0,
    left: totals.created + totals.changed + totals.left,
  })
  expect(await undo()).toEqual({ removed: totals.created, kept: [] })
  expect(await listRecords()).toEqual({ ...empty, '/api/settings': [] })
})

test('each fault of an old server is met or reported, and a later import takes what is missing', {
  timeout: 900_000,
}, async () => {
  await given(old.api.admin, 'host', { name: 'two.example.test', interfaces_attributes: TWO })
  const { body: groups } = await old.api.admin.get('/api/usergroups?search=name=a-group')
  circle.around = groups.results[0].id
  const hits = new Map<string, number>()
  peer.fault = plant(hits)
  const report = await importOld()
  peer.fault = null
  expect(FAULTS.filter(({ name }) => !hits.has(name)).map(({ name }) => name)).toEqual([])
  for (const { name, remark } of FAULTS)
    if (remark)
      expect.soft(report.kinds[remark.kind]?.remarks, name).toContainEqual(
        expect.objectContaining({
          outcome: remark.outcome,
          reason: expect.stringMatching(remark.reason),
          fix: expect.any(String),
        }),
      )
  expect(report.totals.refused).toBe(FAULTS.filter(({ remark }) => remark?.outcome === 'refused').length - 1) // the circle loses a link only
  await importOld()
  const there = await listAll(old.api.admin)
  const taken = await listAll(here.admin)
  for (const [kind, records] of Object.entries(there)) expect.soft(taken[kind], kind).toEqual(records)
})

const TWO = [{ identifier: 'eth0', primary: true }, { identifier: 'eth1' }]

test('an undo removes what refers to records of a later import, whichever it removes first', async () => {
  await run(['import', 'undo'], folder, env) // of the tests before
  peer.fault = leaveFew
  await run(['import', 'server', peer.url, ...LOGIN], folder, env)
  peer.fault = null
  await importOld()
  expect((await undo()).kept).toEqual([])
})

test('kills leave neither doubles nor records that an undo forgets, and changed records stay', {
  timeout: 900_000,
}, async () => {
  await run(['import', 'undo'], folder, env) // of the tests before
  const before = await countRecords()
  const random = randomFrom(seedOfRun())
  for (let kills = 0; kills < KILLS; ) {
    // The last third hits an import of everything, which is resumed; the others one that is undone.
    peer.fault = kills < (KILLS * 2) / 3 ? leaveFew : null
    if (await killOne(random, peer.fault ? FEW_REQUESTS : REQUESTS)) kills++
    if (kills % (KILLS / 3) > 0 || kills === KILLS) continue
    expect((await undo()).kept).toEqual([])
    expect(await countRecords()).toEqual(before)
  }
  await importOld('--keep-ids')
  const there = await listAll(old.api.admin)
  const taken = await listAll(here.admin)
  for (const [kind, records] of Object.entries(there)) expect.soft(taken[kind], kind).toEqual(records)
  const missing = await listMissing()
  expect(missing).toEqual(expect.arrayContaining(ENTERED))
  expect(missing).toContainEqual({ kind: 'smart_proxy', record: expect.any(String), key: 'tls-client-ca' })
  if (await takeSecrets()) {
    const left = await listMissing()
    for (const secret of ENTERED) expect(left).not.toContainEqual(secret)
    expect(left).toHaveLength(missing.length - 6) // three users, two directories, a proxy
  }
  const { body: domains } = await here.admin.get('/api/domains?search=name=example.test')
  await here.admin.put(`/api/domains/${domains.results[0].id}`, { domain: { fullname: 'changed here' } })
  expect((await undo()).kept).toMatchObject([
    { kind: 'domain', record: 'example.test', reason: 'somebody has changed it since the import' },
  ])
})

/** Each takes seconds: the seed of a run chooses the moments. */
const KILLS = process.env.TEST_WHOLE === 'yes' ? 30 : 6

/** About as many requests as an import makes of everything, and of few records. */
const REQUESTS = 500
const FEW_REQUESTS = 180

/** Starts an import and kills it at a random moment. Yields whether it was still importing. */
async function killOne(random: Random, requests: number): Promise<boolean> {
  const until = peer.asked.length + 1 + random.below(requests)
  const importing = start(['import', 'server', peer.url, ...LOGIN], folder, env)
  while (peer.asked.length < until && importing.process.exitCode === null) await sleep(2)
  await sleep(random.below(10))
  const isImporting = importing.process.exitCode === null
  importing.process.kill('SIGKILL')
  await importing.ended
  return isImporting
}

/** Leaves a few records of each kind. */
function leaveFew(_url: string, { body }: Reply, response: ServerResponse): boolean {
  if (!Array.isArray(body.results)) return false
  const results = body.results.slice(0, 3)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...body, total: results.length, subtotal: results.length, results }))
  return true
}

/** Counts the rows of all tables with records and their parts. Others keep what has happened. */
async function countRecords(): Promise<readonly unknown[]> {
  const tables = await rows<{ name: string }>(
    here.database.db,
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const counts = tables
    .filter(({ name }) => !OF_EVENTS.test(name))
    .map(({ name }) => sql`select ${name}::text, count(*) from ${sql.table(name)}`)
  return rows(here.database.db, sql`${sql.join(counts, sql` union all `)} order by 1`)
}

const OF_EVENTS = /^(?:audit|task|table_|event_|features$|fact_names$)/

/** Values of settings are no records that an import creates: they stay. */
async function listRecords() {
  return { ...(await listAll(here.admin)), '/api/settings': [] }
}

/** Some of the secrets that the dump has. */
const ENTERED = [
  { kind: 'user', record: 'derived', key: 'password' },
  { kind: 'auth_source_ldap', record: 'corp', key: 'account_password' },
]

/** Lists what the command still misses. */
async function listMissing(): Promise<readonly unknown[]> {
  const { code, stdout, stderr } = await run(['import', 'missing', '--json'], folder, env)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** Secrets of users in the recorded dump, by the three algorithms of existing servers. */
const THEIRS = {
  derived: { password: 'correct horse', token: 'u33WWClcBW1BsqsjhF7lQQ' },
  digested: { password: 'battery staple', token: 'rkD8ELG-XDjYo8NP9-4tCw' },
  blowfish: { password: 'staple horse', token: 'q75FRqZrdCyOhDEySWm5wA' },
}

/** Takes secrets from the recorded dump, and logs in with the passwords and tokens of the old server. False without pg_restore. */
async function takeSecrets(): Promise<boolean> {
  if (spawnSync('pg_restore', ['--version'], {}).status !== 0 && process.env.CI !== 'true') {
    console.log('pg_restore is missing: secrets of a dump are not tried')
    return false
  }
  const recorded = join(import.meta.dirname, 'recorded')
  writeFileSync(join(folder, 'key'), "ENCRYPTION_KEY = '0123456789abcdef0123456789abcdef0123'\n")
  const dump = join(recorded, 'old.dump')
  const { code, stdout, stderr } = await run(['import', 'secrets', dump, '--key', 'key', '--json'], folder, env)
  expect(code, stderr).toBe(0)
  const odd = 'user 102: Token has a hash of an unknown form'
  expect(JSON.parse(stdout)).toEqual({
    stored: { user: 3, personal_access_token: 3, auth_source_ldap: 2, http_proxy: 1 },
    refused: [odd],
  })
  expect(stdout + stderr).not.toMatch(/bind secret|as it is|pbkdf2|proxy secret/)
  for (const [login, { password, token }] of Object.entries(THEIRS)) {
    const as = (word: string) => here.as({ authorization: basic(login, word) }).get('/api/current_user')
    for (const secret of [password, token]) {
      expect((await as(`${secret.slice(0, -1)}!`)).status, login).toBe(401)
      expect((await as(secret)).status, login).toBe(200)
    }
    // Once it was used it counts like others, also without a login.
    expect((await here.as({ authorization: `Bearer ${token}` }).get('/api/current_user')).body.login).toBe(login)
  }
  const weak = await rows(here.database.db, sql`select login from users where password like '$before$%'`)
  expect(weak).toEqual([])
  expect(await rows(here.database.db, sql`select * from old_tokens`)).toEqual([])
  const again = await run(['import', 'secrets', dump, '--key', 'key', '--json'], folder, env)
  expect(JSON.parse(again.stdout)).toEqual({ stored: { user: 3, auth_source_ldap: 2, http_proxy: 1 }, refused: [odd] })
  return true
}
