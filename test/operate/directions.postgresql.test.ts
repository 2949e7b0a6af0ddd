import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/database/database.ts'
import { listDifferent } from '../../src/operator/backup/answers.ts'
import { isUnused } from '../../src/operator/backup/copy-tables.ts'
import { computeAnswers, computeTotals, dump } from '../../src/operator/backup/dump.ts'
import { load } from '../../src/operator/backup/load.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { migrate } from '../../src/postgresql/migrate.ts'
import { openApi } from '../../src/service/service.ts'
import { sql } from '../../src/sql.ts'
import { randomFrom } from '../fuzz/random.ts'
import { openWorld, stopClocks, type World } from '../laws/world.ts'
import { ADMIN } from '../support/api.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { given, unique } from '../support/given.ts'
import { seedOfRun } from '../support/seed.ts'
import { MIGRATIONS, quiet, testConfig } from '../support/settings.ts'

// From a server into a data directory, and back onto a server.
const PLACES = ['bundled', 'postgresql'] as const

let world: World
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  world = await openWorld()
  stack.use(world.api)
  await stopClocks(world.api)
}, 120_000)
afterAll(() => stack.disposeAsync())

test('a world restored in each direction has the same rows, and answers the same on every route', async () => {
  const { api } = world
  expect(await addRandomRecords(world)).toBeGreaterThan(20)
  const asked = await questions(api.database)
  expect(asked.size).toBeGreaterThan(150)
  let from = api.database
  let compare = async (): Promise<string[]> => []
  for (const place of PLACES) {
    const to = stack.use(await emptyDatabase(place))
    const options = { migrations: MIGRATIONS, forward: true, accept: async () => undefined }
    const { header, totals, answers } = await load(to, dump(from, null, quiet), options)
    expect(Object.values(totals).filter(({ rows }) => rows > 0).length).toBeGreaterThan(50)
    expect(await computeTotals(to.db, Object.keys(totals))).toEqual(totals)
    expect(Object.keys(answers).length).toBeGreaterThan(60)
    compare = async () => listDifferent(answers, await computeAnswers(to.db, header, quiet))
    expect(await compare()).toEqual([])
    from = to
  }
  const paths = [...asked.keys()]
  const restored = await answersOf(from, paths)
  const now = await answersOf(api.database, paths)
  expect(paths.filter((path) => now.get(path) !== restored.get(path))).toEqual([])
  // As many rows as before, with different content.
  await sql`update architectures set name = name || '-changed'`.execute(from.db)
  expect(await compare()).toContain('/api/architectures')
}, 600_000)

test('a damaged backup, or one of an unknown schema, is refused with a sentence of its own, and nothing is stored', async () => {
  const parts: Uint8Array[] = []
  for await (const part of dump(world.api.database, null, quiet)) parts.push(part)
  const whole = Buffer.concat(parts)
  const [header = '', ...rest] = gunzipSync(whole).toString('utf8').split('\n')
  const known = JSON.parse(header).migrations
  const withHeader = (change: object) => again([JSON.stringify({ ...JSON.parse(header), ...change }), ...rest])
  const another = rest.findIndex((line) => line.includes('"x86_64"') || line.startsWith('["1"'))
  const at = rest.findIndex((line, index) => line.startsWith('{"table"') && rest[index + 1]?.startsWith('['))
  const table = JSON.parse(rest[at] ?? '')
  const kept = [rest[at], rest[at + 1]].join('\n')
  const forged = [
    JSON.stringify({ ...table, columns: [{ name: 'id', type: 'int); drop table users; --' }] }),
    JSON.stringify({ ...table, table: 'schema_migrations' }),
    `${rest[at]}\n${rest[at]}`,
    ...[kept.slice(0, -1), `${kept}\n${rest[at + 1]}`, `${rest[at]}\n[`, `${rest[at]}\n${'['.repeat(100_000)}`],
    ...['{', '"\\u0000"', '9e9999', 'null'].map((value) => `${rest[at]}\n[${JSON.stringify(value)}]`),
  ]
  const broken: readonly [Buffer, string][] = [
    [whole.subarray(0, whole.length / 2), 'The backup ends before its end'],
    [again([header, ...rest.slice(0, rest.length / 2), '']), 'The backup ends before its end'],
    [withByte(whole, Math.floor(whole.length / 2)), CHANGED],
    [again([header, ...rest.toSpliced(another, 1)]), CHANGED],
    ...forged.map((line): [Buffer, string] => [signed([header, ...rest.toSpliced(at, 1, line)]), CHANGED]),
    [Buffer.from('something else'), 'This is no backup'],
    [again(['{"a": 1}', '']), 'This is no backup'],
    [Buffer.alloc(0), 'The backup ends before its end'],
    [
      withHeader({
        version: '9.9.9',
        migrations: [...known, { number: known.length + 1, name: '9999-of-tomorrow.sql', checksum: '' }],
      }),
      'The backup by version 9.9.9 is newer than this program: it has applied 9999-of-tomorrow.sql',
    ],
  ]
  const accept = async () => undefined
  await using target = await emptyDatabase('postgresql', 'template0')
  for (const [bytes, sentence] of broken) {
    const loading = load(target, Readable.from([bytes]), { migrations: MIGRATIONS, forward: true, accept })
    await expect(loading, sentence).rejects.toThrow(sentence)
    expect([sentence, await isUnused(target.db)]).toEqual([sentence, 'empty'])
  }
  // Where the tables are there already, and nobody has used them, the reason is the backup's all the same.
  await using migrated = await emptyDatabase('postgresql')
  await migrate(migrated, MIGRATIONS)
  const older = withHeader({ migrations: known.slice(0, -1) })
  for (const [bytes, sentence] of [...broken.slice(-1), [older, 'has other tables than the backup'] as const]) {
    const loading = load(migrated, Readable.from([bytes]), { migrations: MIGRATIONS, forward: true, accept })
    await expect(loading, sentence).rejects.toThrow(sentence)
    expect([sentence, await isUnused(migrated.db)]).toEqual([sentence, 'migrated'])
  }
  await load(target, Readable.from([whole]), { migrations: MIGRATIONS, forward: true, accept })
  const twice = load(target, Readable.from([whole]), { migrations: MIGRATIONS, forward: true, accept })
  await expect(twice).rejects.toThrow('The database to restore into is not empty')
}, 600_000)

/** Stores texts and values of every type that nobody has thought of; yields how many were taken. */
async function addRandomRecords({ api: { admin } }: World): Promise<number> {
  const random = randomFrom(seedOfRun())
  const code = () =>
    random.one([1 + random.below(0x80), 1 + random.below(0x2fff), 0xe000 + random.below(0x1fff), 0x1f600])
  const text = () => String.fromCodePoint(0x78, ...random.some(60, code))
  const values: Readonly<Record<string, () => string>> = {
    string: text,
    integer: () => `${random.below(2 ** 31) - 2 ** 30}`,
    real: () => `${(random.below(2 ** 31) - 2 ** 30) / (1 + random.below(1000))}`,
    boolean: () => `${random.chance(0.5)}`,
    array: () => JSON.stringify(random.some(5, text)),
    hash: () => JSON.stringify({ [text()]: random.some(3, text) }),
    json: () => JSON.stringify([null, text(), { [text()]: random.below(2 ** 31) }]),
  }
  let taken = 0
  for (let round = 0; round < 8; round++) {
    const layout = await admin.post('/api/ptables', { ptable: { name: unique('random'), layout: text() } })
    const { id } = await given(admin, 'domain')
    const replies = [layout]
    for (const [parameter_type, value] of Object.entries(values)) {
      const parameter = { name: unique('random'), parameter_type, value: value(), hidden_value: random.chance(0.3) }
      replies.push(await admin.post(`/api/domains/${id}/parameters`, { parameter }))
    }
    taken += replies.filter(({ status }) => status === 201).length
  }
  return taken
}

const CHANGED = 'The backup is not as it was made'

/** Builds a file with a correct checksum, as somebody who knows the format could. */
function signed(lines: readonly string[]): Buffer {
  const before = lines.slice(0, -2).join('\n')
  const sha256 = createHash('sha256').update(`${before}\n`).digest('hex')
  return again([before, JSON.stringify({ ...JSON.parse(lines.at(-2) ?? ''), sha256 }), ''])
}

function again(lines: readonly string[]): Buffer {
  return gzipSync(lines.join('\n'))
}

function withByte(whole: Buffer, at: number): Buffer {
  const changed = Buffer.from(whole)
  changed[at] = (changed[at] ?? 0) ^ 0x55
  return changed
}

/** Opens a database without records: one in a folder, or one on the server, which has a schema unless that is of `template0`. */
async function emptyDatabase(
  place: (typeof PLACES)[number],
  template: 'template_millwright' | 'template0' = 'template_millwright',
): Promise<Database> {
  if (place === 'bundled') return connect(testConfig({}), quiet)
  const made = await testDatabaseUrl(template)
  stack.defer(made.drop)
  return connect(testConfig({ url: made.url }), quiet)
}

/** Yields every readable path with its answer: lists, and paths below one of their records. */
async function questions(database: Database): Promise<Map<string, string>> {
  const { server, routes } = await openService(database)
  const found = new Map<string, string>()
  const patterns = routes.filter(({ method, path }) => method === 'GET' && !LIVELY.test(path)).map(({ path }) => path)
  const ids = new Map<string, string | null>()
  for (const pattern of patterns.sort((a, b) => a.split('/').length - b.split('/').length)) {
    const path = await filled(pattern)
    if (path === null) continue
    const answer = await get(path)
    if (answer.statusCode === 200) found.set(path, answer.body)
  }
  await server.close()
  return found

  async function filled(pattern: string): Promise<string | null> {
    let path = ''
    for (const segment of pattern.split('/').slice(1)) {
      const id = segment.startsWith(':') ? await idBelow(path) : segment
      if (id === null) return null
      path += `/${id}`
    }
    return path
  }

  async function idBelow(path: string): Promise<string | null> {
    if (!ids.has(path)) {
      const { statusCode, body } = await get(`${path}?per_page=1`)
      const first = statusCode === 200 ? JSON.parse(body).results?.[0] : undefined
      ids.set(path, first?.id === undefined ? null : String(first.id))
    }
    return ids.get(path) ?? null
  }

  function get(url: string) {
    return server.inject({ url, headers: HEADERS })
  }
}

async function answersOf(database: Database, paths: readonly string[]): Promise<Map<string, string>> {
  const { server } = await openService(database)
  const found = new Map<string, string>()
  for (const url of paths) found.set(url, (await server.inject({ url, headers: HEADERS })).body.replaceAll(AGO, ''))
  await server.close()
  return found
}

function openService(database: Database) {
  const env = {
    MILLWRIGHT_DATA_DIR: 'memory',
    MILLWRIGHT_ADMIN_LOGIN: ADMIN.login,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
    MILLWRIGHT_PASSWORD_MEMORY: '8',
  }
  return openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
}

/** Paths whose answers change by themselves, never end, or are random. */
const LIVELY = /ping|status|statistics|events|follow|bootdisk|current_user|livez|readyz|explain|authority|crl/

/** Ages in words. */
const AGO = /"(?:\w*words|publish_date)":"[^"]*"/g

const HEADERS = { authorization: `Basic ${Buffer.from(`${ADMIN.login}:${ADMIN.password}`).toString('base64')}` }
