import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../cli/program.ts'
import { postgresqlBinaries, startTestServer, type TestServer } from '../support/postgresql.ts'
import { execFileSync } from '../support/processes.ts'

// An unprepared cluster, on which the README's recipe is executed.
let server: TestServer
let folder: string
let binaries: string
beforeAll(async () => {
  binaries = postgresqlBinaries() ?? ''
  server = await startTestServer(binaries)
  folder = new URL(server.urlOf('postgres').replace('@/', '@socket/')).searchParams.get('host') ?? ''
})
afterAll(() => server[Symbol.asyncDispose]())

const asSuperuser = (commands: string) =>
  execFileSync('/bin/sh', ['-ec', commands], {
    env: { PATH: `${binaries}${delimiter}${process.env.PATH}`, PGHOST: folder, PGUSER: 'postgres' },
    encoding: 'utf8',
  })

const migrate = (login: string, database: string) => {
  const url = server.urlOf(database).replace('postgres@', `${login}@`)
  return run(['migrate', '--data-dir', `${folder}/key`], folder, { DATABASE_URL: url, MILLWRIGHT_LOG_LEVEL: 'error' })
}

test('the recipe of the README makes a database that the service can use', async () => {
  const readme = readFileSync('README.md', 'utf8')
  const [, recipe = ''] = /```sh\n(createuser[\s\S]*?)DATABASE_URL=/.exec(readme) ?? []
  asSuperuser(recipe)
  expect(await migrate('millwright', 'millwright')).toMatchObject({ code: 0, stderr: '' })
})

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
