import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { postgresqlBinaries, startTestServer } from './postgresql.ts'
import { MIGRATIONS, quiet, testConfig } from './settings.ts'

/**
 * The global setup of the PostgreSQL tests: a separate server, or the one that TEST_DATABASE_URL names (its user must be
 * allowed to create databases), with a migrated database that every test file copies.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const binaries = postgresqlBinaries()
  if (!given && !binaries)
    throw new Error('There is no PostgreSQL on this machine: install it, or set TEST_DATABASE_URL')
  const server = given || !binaries ? null : await startTestServer(binaries)
  const urlOf = server ? server.urlOf : (database: string) => withDatabase(given ?? '', database)
  try {
    await makeTemplate(urlOf)
  } catch (error) {
    await server?.[Symbol.asyncDispose]()
    throw error
  }
  project.provide('pgliteImage', null)
  project.provide('postgresqlUrl', urlOf('%DATABASE%'))
  return async () => server?.[Symbol.asyncDispose]()
}

async function makeTemplate(urlOf: (database: string) => string): Promise<void> {
  await using administration = await connect(testConfig({ url: urlOf('postgres') }), quiet)
  await sql`drop database if exists template_millwright`.execute(administration.db)
  await sql`create database template_millwright template template0 encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`.execute(
    administration.db,
  )
  await using template = await connect(testConfig({ url: urlOf('template_millwright') }), quiet)
  await migrate(template, MIGRATIONS)
}

function withDatabase(url: string, database: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${database}`
  return parsed.href
}
