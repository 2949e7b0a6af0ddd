import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../src/postgresql/connect.ts'
import { sql } from '../src/sql.ts'
import { startTestServer, type TestServer } from '../test/support/postgresql.ts'
import { quiet, testConfig } from '../test/support/settings.ts'
import { load, type Size, type Stage } from './data.ts'

/** The databases of one execution, each created when it is first used. */
export interface Stages extends AsyncDisposable {
  readonly small: () => Promise<Stage>
  readonly large: () => Promise<Stage>
  readonly bundled: () => Promise<Stage>
  /** 10,000 hosts, and few other records. */
  readonly fleet: () => Promise<Stage>
  /** 100,000 hosts, and few other records, on both databases. */
  readonly many: () => Promise<Stage>
  readonly manyBundled: () => Promise<Stage>
  /** 1,000,000 hosts, and few other records. */
  readonly million: () => Promise<Stage>
  /** 5,000 and 1,000,000 hosts with 100 facts each. */
  readonly factual: () => Promise<Stage>
  readonly wide: () => Promise<Stage>
  /** 10,000 hosts with 100 facts each, to be imported. */
  readonly moving: () => Promise<Stage>
  /** 10,000 and 10,000,000 audits, and few other records. */
  readonly audits: () => Promise<Stage>
  readonly manyAudits: () => Promise<Stage>
  /** What `small` holds, on a server that answers a write when the disk has it. */
  readonly durable: () => Promise<Stage>
  /** Creates a database on the server, without a schema. */
  readonly emptyUrl: (name: string) => Promise<string>
  /** The folder of logs and data directories. */
  readonly folder: string
}

/** Settings of the server: durability is off, because only reads are measured; all others are PostgreSQL's defaults. */
const SETTINGS = [
  'shared_buffers=1GB',
  'work_mem=16MB',
  'maintenance_work_mem=256MB',
  'max_wal_size=4GB',
  'autovacuum=off',
]

/** What the servers of tests and of reads do without. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

type Sized = 'small' | 'large' | 'fleet' | 'many' | 'million' | 'factual' | 'wide' | 'moving' | 'audits' | 'manyAudits'

/** Opens a separate PostgreSQL server, and the sizes to compare. */
export async function openStages(folder: string, sizes: Readonly<Record<Sized, Size>>): Promise<Stages> {
  const servers = new AsyncDisposableStack()
  const server = servers.use(await startTestServer({ programs: 'bundled', settings: SETTINGS }))
  const createEmptyDatabase = (name: string) => createDatabase(server, name)
  const durable = makeOnce(async () => {
    const own = servers.use(await startTestServer({ programs: 'bundled', settings: [...SETTINGS, ...DURABLE] }))
    return load({ url: await createDatabase(own, 'durable'), dataDir: join(folder, 'durable') }, sizes.small)
  })
  const onServer = (name: string, size: Size) =>
    makeOnce(async () => load({ url: await createEmptyDatabase(name), dataDir: join(folder, name) }, size))
  return {
    small: onServer('small', sizes.small),
    large: onServer('large', sizes.large),
    fleet: onServer('fleet', sizes.fleet),
    bundled: makeOnce(() => load({ url: null, dataDir: join(folder, 'bundled') }, sizes.small)),
    many: onServer('many', sizes.many),
    million: onServer('million', sizes.million),
    factual: onServer('factual', sizes.factual),
    wide: onServer('wide', sizes.wide),
    moving: onServer('moving', sizes.moving),
    audits: onServer('audits', sizes.audits),
    manyAudits: onServer('many_audits', sizes.manyAudits),
    durable,
    emptyUrl: createEmptyDatabase,
    manyBundled: makeOnce(() => load({ url: null, dataDir: join(folder, 'many-bundled') }, sizes.many)),
    folder,
    async [Symbol.asyncDispose]() {
      await servers.disposeAsync()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createDatabase({ urlOf }: Pick<TestServer, 'urlOf'>, name: string): Promise<string> {
  await using administration = await connect(testConfig({ url: urlOf('postgres') }), quiet)
  await sql`create database ${sql.id(name)} template template0`.execute(administration.db)
  return urlOf(name)
}

function makeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make()
    return made
  }
}
