import type { TestProject } from 'vitest/node'
import { connect } from '../../src/postgresql/connect.ts'
import { migrate } from '../../src/postgresql/migrate.ts'
import { sql } from '../../src/sql.ts'
import { startTestServer } from './postgresql.ts'
import { MIGRATIONS, quiet, testConfig } from './settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a server with a database `template_millwright`; %DATABASE% stands for the name of the database. */
    postgresqlUrl: string
  }
}

/**
 * The global setup of tests with a database: a server of their own, or the one that TEST_DATABASE_URL names (its user must be
 * allowed to create databases), with a migrated database that every test file copies.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? null : await startTestServer({ programs: 'bundled' })
  const urlOf = server ? server.urlOf : (database: string) => withDatabase(given ?? '', database)
  try {
    await makeTemplate(urlOf, given ? FOREIGN : '')
  } catch (error) {
    await server?.[Symbol.asyncDispose]()
    throw error
  }
  project.provide('postgresqlUrl', urlOf('%DATABASE%'))
  return async () => server?.[Symbol.asyncDispose]()
}

/** Databases of a server that was not made for this may be sorted otherwise. */
const FOREIGN = `encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`

async function makeTemplate(urlOf: (database: string) => string, options: string): Promise<void> {
  await using administration = await connect(testConfig({ url: urlOf('postgres') }), quiet)
  await sql`drop database if exists template_millwright`.execute(administration.db)
  await sql`create database template_millwright template template0 ${sql.raw(options)}`.execute(administration.db)
  await using template = await connect(testConfig({ url: urlOf('template_millwright') }), quiet)
  await migrate(template, MIGRATIONS)
}

function withDatabase(url: string, database: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${database}`
  return parsed.href
}
