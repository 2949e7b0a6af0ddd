import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verbOf } from '../../scripts/description/manifest.ts'
import { findCommand } from '../../src/client/arguments.ts'
import { EXAMPLES } from '../../src/client/commands/examples.ts'
import { loadManifest } from '../../src/client/manifest.ts'
import { sql } from '../../src/sql.ts'
import {
  ACTION_WORDS,
  COMMAND_WORDS,
  FLAG_WORDS,
  GROUP_FLAGS,
  ROUTE_WORDS,
  WITHOUT_VERB,
} from '../../src/words/commands.ts'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { type Ended, millwright, wordsOf } from './program.ts'

const home = mkdtempSync(join(tmpdir(), 'millwright-client-'))
let api: TestApi
let url: string
let env: Record<string, string>

beforeAll(async () => {
  api = await openTestApi()
  url = await api.listen()
  env = { HOME: home, MILLWRIGHT_URL: url, MILLWRIGHT_LOGIN: ADMIN.login, MILLWRIGHT_TOKEN: ADMIN.password }
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

const run = (line: string, input = ''): Promise<Ended> => millwright(wordsOf(line), env, input)

test('every example of the help does what it says', async () => {
  const seen = new Map<string, Ended>()
  for (const example of EXAMPLES) {
    const ended = await run(example)
    expect({ example, code: ended.code, stderr: ended.stderr }).toEqual({ example, code: 0, stderr: '' })
    seen.set(example, ended)
  }
  const shown = (beginning: string) => [...seen].find(([example]) => example.startsWith(beginning))?.[1].stdout
  expect(shown('architecture list')).toBe('ID  NAME\n3   riscv64\n')
  expect(shown('host list --search')).toBe('[\n  "web1.lab.test"\n]\n')
  expect(shown('host list --all')).toBe('Id,Name\n1,web1.lab.test\n')
  expect(shown('lifecycle-environment list')).toBe('Library\n')
  await run('host create --name listed.lab.test --managed false')
  expect((await run('host list')).stdout).toMatch(/^ID +NAME +GLOBAL STATUS\b.*\n\d+ +listed\.lab\.test +OK\b/)
  await run('host delete listed.lab.test')
}, 120_000)

test('every route has a verb, or a reason why it has none', () => {
  const without = new Set<string>()
  const ofContent = (path: string) => path.startsWith('/content/')
  for (const { id, path } of api.routes.filter(({ id }) => !id.endsWith('.auto_complete_search'))) {
    const verb = verbOf(id)
    if (verb) {
      const { command } = findCommand(verb.split(' '))
      expect(command.words).toBe(verb)
      // Two routes of one verb must not hide each other.
      expect([verb, command.action.paths.map(ofContent)]).toEqual([verb, expect.arrayContaining([ofContent(path)])])
    } else without.add(id)
  }
  expect([...without].toSorted()).toEqual(Object.keys(WITHOUT_VERB).toSorted())
})

test('no words are kept that nothing reads, or that say what is so without them', () => {
  const ids = api.routes.map(({ id }) => id.split('.').slice(-2).join('.'))
  const [groups, actions] = [0, 1].map((at) => new Set(ids.map((id) => id.split('.')[at])))
  const dashed = (name: string) => name.slice(name.lastIndexOf('.') + 1).replaceAll('_', '-')
  const singular = (name: string) => dashed(name).replace(/s$/, '')
  const without = (
    words: Readonly<Record<string, readonly string[]>>,
    names: Iterable<string | undefined>,
    otherwise = dashed,
  ) =>
    Object.entries(words).flatMap(([name, said]) =>
      new Set(names).has(name) && said.join() !== otherwise(name) ? [] : [name],
    )
  expect(without(COMMAND_WORDS, groups ?? [], singular)).toEqual([])
  expect(without(ACTION_WORDS, actions ?? [])).toEqual([])
  expect(without(ROUTE_WORDS, ids)).toEqual([])
  const { groups: known, options } = loadManifest()
  const flagsOf = (group: string) =>
    Object.values(known[group]?.actions ?? {}).map((action) => new Set(action.options.map((at) => options[at]?.[0])))
  const all = Object.keys(known).flatMap(flagsOf)
  const isRead = (flags: readonly ReadonlySet<string | undefined>[], theirs: string, ours: string) =>
    flags.some((each) => each.has(ours) && !each.has(theirs))
  expect(Object.entries(FLAG_WORDS).filter(([theirs, ours]) => !isRead(all, theirs, ours))).toEqual([])
  for (const [group, words] of Object.entries(GROUP_FLAGS))
    expect(Object.entries(words).filter(([theirs, [ours]]) => !isRead(flagsOf(group), theirs, ours))).toEqual([])
})

describe('what is wrong', () => {
  const cases: readonly (readonly [line: string, code: number, sentence: string])[] = [
    ['hots list', 2, 'there is no command "hots": did you mean host?'],
    ['host lst', 2, 'host has no "lst": did you mean list?'],
    ['host', 2, 'missing action: millwright host '],
    ['auth-source ldp list', 2, 'auth-source has no "ldp"'],
    ['host list --serch x', 2, '--serch is not an option of this command: did you mean --search?'],
    ['host list --output xml', 2, '--output is "xml", but must be one of table, json, yaml, csv, jsonl, name'],
    ['host create', 2, 'host create needs --name'],
    ['host create --name x --managed perhaps', 2, '--managed is "perhaps", but must be true or false'],
    ['host create --name x --hostgroup-id one', 2, '--hostgroup-id is "one", but must be a whole number'],
    ['host create --name x --interfaces-attributes [1', 2, '--interfaces-attributes is "[1", but must be JSON'],
    ['host create --name @/nowhere', 2, '--name: the file /nowhere cannot be read (ENOENT)'],
    ['host info', 2, 'name the record: millwright host info NAME, or --id or --name'],
    ['host interface list', 2, 'host interface list needs --host, or --domain, or --subnet'],
    ['--output xml host list', 2, '--output is "xml", but must be one of'],
    ['host list more', 2, '"more" is not expected here'],
    ['host list --query results[', 2, '--query: '],
    ['host info nowhere.test', 3, "Resource host not found by id 'nowhere.test'"],
    ['architecture create --name "x 86"', 1, "--name: can't contain spaces."],
    ['architecture create --name x86_64', 1, '--name: has already been taken'],
    ['host list --search "colour = red"', 1, "Field 'colour' not recognized for searching!"],
    ['api GET nowhere', 2, 'usage: millwright api GET /api/hosts'],
    ['context use nowhere', 2, 'there is no context nowhere'],
  ]
  test.each(cases)('%s', async (line, code, sentence) => {
    const { code: ended, stdout, stderr } = await run(line)
    expect({ ended, stdout, isSaid: stderr.includes(sentence), stderr }).toEqual({
      ended: code,
      stdout: '',
      isSaid: true,
      stderr,
    })
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

describe('who answers', () => {
  const others: Server[] = []
  afterAll(() => {
    for (const server of others) server.close()
  })
  const serve = async (status: number, headers: Record<string, string>, body: string) => {
    const server = createServer((_request, response) => response.writeHead(status, headers).end(body))
    others.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const cases: readonly (readonly [
    name: string,
    () => Promise<string> | string,
    Record<string, string>,
    code: number,
    sentence: string,
  ])[] = [
    ['nobody', () => 'http://127.0.0.1:1', {}, 6, 'cannot be reached: nothing listens there'],
    [
      'a page',
      () => serve(502, { 'content-type': 'text/html' }, '<title>Bad Gateway</title>'),
      {},
      6,
      'no JSON ("Bad Gateway")',
    ],
    [
      'another product',
      () => serve(200, { 'content-type': 'application/json', server: 'other' }, '[]'),
      {},
      6,
      'is not Millwright: other',
    ],
    [
      'half of it',
      () => serve(200, { 'content-type': 'application/json', 'millwright-version': '1' }, '{"a":'),
      {},
      6,
      'JSON that ends in the middle',
    ],
    [
      'somewhere else',
      () => serve(301, { location: 'https://new.test/' }, ''),
      {},
      6,
      'sends everybody to https://new.test/',
    ],
    ['plain HTTP where TLS is asked for', () => url.replace('http:', 'https:'), {}, 6, 'does not speak TLS'],
    [
      'us, to a token that has ended',
      () => url,
      { MILLWRIGHT_TOKEN: 'gone', MILLWRIGHT_LOGIN: '' },
      4,
      'the token has expired or was revoked',
    ],
    [
      'a clock that differs',
      () =>
        serve(
          401,
          { 'content-type': 'application/json', 'millwright-version': '1', date: 'Mon, 01 Jan 2001 00:00:00 GMT' },
          '{}',
        ),
      {},
      4,
      'the clocks differ',
    ],
  ]
  test.each(cases)('%s', async (_name, address, more, code, sentence) => {
    const { code: ended, stderr } = await millwright(['host', 'list'], {
      ...env,
      MILLWRIGHT_URL: await address(),
      ...more,
    })
    expect({ ended, isSaid: stderr.includes(sentence), stderr }).toEqual({ ended: code, isSaid: true, stderr })
  })
})

test('a login creates a token, which is revoked by the logout', async () => {
  const own = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
  const file = join(home, 'config/millwright/contexts.json')
  const login = await millwright(
    ['login', url, '--name', 'lab', '--organization', 'Default Organization'],
    own,
    `${ADMIN.login}\n${ADMIN.password}\n`,
  )
  expect(login).toEqual({ code: 0, stderr: '', stdout: `Logged in at ${url} as admin; the context is called lab.\n` })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(ADMIN.password)
  const token = JSON.parse(readFileSync(file, 'utf8')).contexts.lab.token
  const who = await millwright(['whoami', '--output', 'name'], own)
  expect(who).toEqual({ code: 0, stderr: '', stdout: 'admin\n' })
  const list = await millwright(['context', 'list', '--output', 'json'], own)
  expect(JSON.parse(list.stdout)).toMatchObject([{ current: '*', name: 'lab', organization: 'Default Organization' }])
  await millwright(['context', 'set', 'lab', '--location', 'Default Location'], own)
  expect(JSON.parse(readFileSync(file, 'utf8')).contexts.lab.location).toBe('Default Location')
  expect(await millwright(['logout'], own)).toEqual({ code: 0, stderr: '', stdout: 'Logged out of lab.\n' })
  expect((await api.as({ authorization: `Bearer ${token}` }).get('/api/hosts')).status).toBe(401)
  const after = await millwright(['host', 'list'], own)
  expect({ code: after.code, isSaid: after.stderr.includes('run millwright login URL') }).toEqual({
    code: 2,
    isSaid: true,
  })
  const wrong = await millwright(['login', url, '--user', 'admin'], own, 'not the password\n')
  expect(wrong.code).toBe(4)
})

test('a token is sent to the server that it is for, and logging out of one leaves the other', async () => {
  const seen: (string | undefined)[] = []
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': '1' }).end('{"results":[]}')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const own = { HOME: home, XDG_CONFIG_HOME: join(home, 'two') }
  try {
    await millwright(['host', 'list', '--server', address], env)
    expect(seen).toEqual([undefined])
    await millwright(['host', 'list', '--server', address], { ...own, MILLWRIGHT_TOKEN: 'for-it' })
    expect(seen.slice(1)).toEqual(['Bearer for-it'])
    for (const name of ['one', 'two']) {
      const login = await millwright(['login', url, '--name', name, '--user', ADMIN.login], own, `${ADMIN.password}\n`)
      expect(login.code).toBe(0)
    }
    const file = JSON.parse(readFileSync(join(home, 'two/millwright/contexts.json'), 'utf8'))
    // A context has a token of its own, whatever the environment says.
    const who = await millwright(['whoami', '--context', 'one', '--output', 'name'], {
      ...own,
      MILLWRIGHT_TOKEN: 'wrong',
    })
    expect(who.stdout).toBe('admin\n')
    expect(await millwright(['logout', 'one'], own)).toMatchObject({ code: 0, stdout: 'Logged out of one.\n' })
    const counts = async (name: string) =>
      (await api.as({ authorization: `Bearer ${file.contexts[name].token}` }).get('/api/hosts')).status
    expect([await counts('one'), await counts('two')]).toEqual([401, 200])
    const again = await millwright(['login', url, '--name', 'two', '--user', ADMIN.login], own, `${ADMIN.password}\n`)
    expect({ code: again.code, former: await counts('two') }).toEqual({ code: 0, former: 401 })
  } finally {
    other.close()
  }
})

test('a command loads what it needs, and nothing else', async () => {
  const loadedBy = async (line: string): Promise<string[]> => {
    const folder = mkdtempSync(join(home, 'loaded-'))
    const { code } = await millwright(wordsOf(line), { ...env, NODE_V8_COVERAGE: folder })
    expect(code).toBe(0)
    const seen = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result)
    const files: string[] = seen.map(({ url }: { url: string }) => url).filter((url) => url.startsWith('file:'))
    const packages = files.filter((url) => url.includes('/node_modules/'))
    // A bundled file says of which sources it is made.
    const texts = files.filter((url) => url.includes('/client/')).map((url) => readFileSync(fileURLToPath(url), 'utf8'))
    const sources = texts.flatMap((text) => [...text.matchAll(/^\/\/ src\/(?:client\/)?(\S+)\.ts$/gm)])
    return [...packages, ...sources.map(([, name = '']) => name)].toSorted()
  }
  const begin = ['arguments', 'config/nearest', 'failure', 'format', 'main', 'manifest', 'commands/session', 'values']
  expect(await loadedBy('--help')).toEqual(
    [...begin, 'commands/examples', 'commands/help', 'commands/special'].toSorted(),
  )
  const asking = [
    'call',
    'cell',
    'command',
    'commands/contexts',
    'commands/special',
    'lib/values',
    'output',
    'perform',
    'request',
  ]
  expect(await loadedBy('architecture list --per-page 1')).toEqual([...begin, ...asking].toSorted())
})

test('events are printed one a line, and the history of a record is listed', async () => {
  const { body } = await api.admin.post('/api/architectures', { architecture: { name: 'eventful' } })
  await api.admin.put(`/api/architectures/${body.id}`, { architecture: { name: 'renamed' } })
  const printed = () => run('events --type architecture.* --after 0')
  await expect
    .poll(async () => (await printed()).stdout, { timeout: 10_000 })
    .toContain('"name":["eventful","renamed"]')
  const { stdout } = await printed()
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.filter(({ subject }) => subject === `architectures/${body.id}`).map(({ type }) => type)).toEqual([
    'architecture.created',
    'architecture.updated',
  ])
  const history = await run(`history list --resource architectures --id ${body.id} --output json`)
  expect([history.code, history.stderr]).toEqual([0, ''])
  expect(JSON.parse(history.stdout)).toMatchObject([{ version: 2 }, { version: 1 }])
  expect(await run('events --after x')).toMatchObject({ code: 1, stderr: expect.stringContaining("'after'") })
})

test('batches are stored as a whole, lists come whole, and values come from files', async () => {
  const create = (name: string) => JSON.stringify({ method: 'POST', path: '/api/models', body: { model: { name } } })
  const lines = Array.from({ length: 1203 }, (_, index) => create(`m${String(index).padStart(4, '0')}`))
  const { code, stdout } = await run('batch', `${lines.join('\n')}\n`)
  expect({ code, count: stdout.trim().split('\n').length }).toEqual({ code: 0, count: 1203 })
  const all = await run('model list --all --output name --order name')
  expect(all.stdout.split('\n').slice(0, 2)).toEqual(['m0000', 'm0001'])
  expect(all.stdout.trim().split('\n')).toHaveLength(1203)
  // Options may stand before the command.
  const csv = await run('--csv --csv-separator ; model list --fields name,info --search name=m0001 --no-headers')
  expect(csv.stdout).toBe('m0001;\n')
  const json = await run('model list --all --output json')
  expect(JSON.parse(json.stdout)).toHaveLength(1203)
  writeFileSync(join(home, 'info'), 'two\nlines\n')
  await run(`model update m0001 --info @${join(home, 'info')}`)
  expect((await api.admin.get('/api/models/m0001')).body.info).toBe('two\nlines')
  // What the caller may do is for programs.
  await given(api.admin, 'host', { name: 'told.example.test' })
  const told = await run('host info told.example.test')
  expect(told.stdout).toContain('told.example.test')
  expect(told.stdout).not.toContain('Permissions')
  const mixed = [create('n0000'), create('m0000'), create('n0001')].join('\n')
  expect(await run('batch', mixed)).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was stored') })
  expect((await api.admin.get('/api/models/n0000')).status).toBe(404)
  const tried = await run('batch --dry-run', mixed)
  expect(tried).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1 of 3 would be refused; nothing is stored'),
  })
  expect(tried.stdout.trim().split('\n')).toHaveLength(3)
  const going = await run('batch --keep-going', mixed)
  expect(going).toMatchObject({ code: 1, stderr: expect.stringContaining('1 of 3 were refused; the rest is stored') })
  expect(
    going.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status),
  ).toEqual([201, 422, 201])
  const many = Array.from({ length: 1203 }, (_, index) => create(`o${index}`)).join('\n')
  expect((await run('batch --keep-going', many)).stdout.trim().split('\n')).toHaveLength(1203)
  expect(await run('batch', 'nonsense\n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('line 1 is no request'),
  })
})

test('a whole list has every record that is there all the time, whatever is deleted while it is read', async () => {
  const { db } = api.database
  await sql`insert into realms (name, realm_type) select 'w' || lpad(n::text, 4, '0'), 'x' from generate_series(1, 2500) n`.execute(
    db,
  )
  let asked = 0
  const between = createServer(async (request, response) => {
    // Behind the first page, a record of it goes.
    if (++asked === 2) await sql`delete from realms where name = 'w0001'`.execute(db)
    const { authorization = '', accept = '' } = request.headers
    const answer = await fetch(`${url}${request.url}`, { headers: { authorization, accept } })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const { port } = between.address() as AddressInfo // of a server that listens
  const through = { ...env, MILLWRIGHT_URL: `http://127.0.0.1:${port}` }
  const { code, stdout } = await millwright(wordsOf('realm list --all --output name --order name'), through)
  between.close()
  const names = Array.from({ length: 2500 }, (_, index) => `w${String(index + 1).padStart(4, '0')}`)
  expect({ code, asked }).toEqual({ code: 0, asked: 3 })
  expect(stdout.trim().split('\n')).toEqual(names)
})
