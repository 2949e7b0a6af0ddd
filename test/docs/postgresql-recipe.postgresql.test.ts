import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { programOf, ready, run, troubles } from '../cli/program.ts'
import { findFreePort } from '../support/free-port.ts'
import { postgresqlBinaries, startTestServer, type TestServer } from '../support/postgresql.ts'
import { execFileSync, spawn } from '../support/processes.ts'

// An unprepared cluster, on which the README's recipe is executed. Over the network it wants passwords.
let server: TestServer
let folder: string
let binaries: string
let port: number
beforeAll(async () => {
  binaries = postgresqlBinaries() ?? ''
  port = await findFreePort()
  server = await startTestServer({ settings: ['listen_addresses=127.0.0.1', `port=${port}`] })
  folder = server.folder
  const rules = ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256']
  writeFileSync(join(folder, 'data/pg_hba.conf'), rules.join('\n'))
  asSuperuser('psql --command="select pg_reload_conf()"')
})
afterAll(() => server?.[Symbol.asyncDispose]())

const asSuperuser = (commands: string) =>
  execFileSync('/bin/sh', ['-ec', commands], {
    env: {
      ...{ PATH: `${binaries}${delimiter}${process.env.PATH}`, PGHOST: folder },
      ...{ PGPORT: `${port}`, PGUSER: 'postgres' },
    },
    encoding: 'utf8',
  })

const migrate = (login: string, database: string) => {
  const url = `${server.urlOf(database).replace('postgres@', `${login}@`)}&port=${port}`
  return run(['migrate', '--data-dir', `${folder}/key`], folder, { DATABASE_URL: url, MILLWRIGHT_LOG_LEVEL: 'error' })
}

test('the recipe of the README makes a database on which its last line starts the service, with that password only', async () => {
  const readme = readFileSync('README.md', 'utf8')
  const [, recipe = '', last = ''] = /```sh\n(createuser[\s\S]*?)(DATABASE_URL=.*)\n```/.exec(readme) ?? []
  asSuperuser(recipe)
  const start = last.replace('db.example.test', `127.0.0.1:${port}`)
  expect(start).not.toBe(last)
  const wrong = begin(start.replace('a%20long%20one', 'another'))
  expect(await wrong.ended).toBe(1)
  expect(wrong.stderr()).toMatch(/password/)

  const program = begin(start)
  const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }
  const address = await ready(program)
  const body = JSON.stringify({ name: 'stored' })
  const answer = await fetch(`${address}/api/architectures`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
  expect(asSuperuser(`psql -At millwright --command="select name from architectures where name = 'stored'"`)).toBe(
    'stored\n',
  )
  const owner = 'select tableowner from pg_tables'
  expect(asSuperuser(`psql -At millwright --command="${owner} where tablename = 'architectures'"`)).toBe('millwright\n')
  expect(troubles(program)).toEqual([])
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}, 180_000)

test('a missing grant is named by the statement to run, and running it is enough', async () => {
  asSuperuser('createuser "Mill Wright"; createdb other')
  const { code, stderr } = await migrate('Mill%20Wright', 'other')
  expect(code).toBe(1)
  const statements = /run: (.*)$/m.exec(stderr)?.[1] ?? ''
  expect(statements).toBe(
    'grant create on database other to "Mill Wright"; grant create on schema public to "Mill Wright";',
  )
  asSuperuser(`psql other <<'END'\n${statements}\nEND`)
  expect(await migrate('Mill%20Wright', 'other')).toMatchObject({ code: 0, stderr: '' })
})

/** Runs a line that starts the service in the checkout, with data, port and password of this test. */
function begin(line: string) {
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, MILLWRIGHT_CONSOLE_BUILD: 'off' },
    ...{ MILLWRIGHT_PORT: '0', MILLWRIGHT_DATA_DIR: join(folder, 'service'), MILLWRIGHT_DATABASE_WAIT: '1ms' },
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
  }
  const program = programOf(spawn('/bin/sh', ['-c', `exec env ${line}`], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  onTestFinished(() => void program.process.kill('SIGTERM'))
  return program
}
