import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { type Program, ready, start } from '../cli/program.ts'
import { ADMIN, basic } from '../support/api.ts'
import { quiet, testConfig } from '../support/settings.ts'
import { type Crowded, followStream, nameChange, readPage, readPages, writeAlways } from './crowd.ts'
import { openReceiver, type Received, type Receiver } from './receiver.ts'

/** Each round kills the service or its PostgreSQL. KILL_ROUNDS=100 took 21 minutes on a busy machine. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2)
/** With few rounds the time until the next attempts passes at once: a second failure would make the test a minute longer. */
const IS_SHORT = ROUNDS < 10
const WRITERS = 8
const WRITES = 20

test(
  `${ROUNDS} kills of the service and of PostgreSQL lose no event, neither in the feed nor at receivers`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millwright-killed-events-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    let program = serve(folder)
    const service: Crowded = {
      address: await ready(program),
      headers: { authorization: basic(ADMIN.login, ADMIN.password) },
    }
    onTestFinished(() => void program.process.kill('SIGKILL'))
    const receivers = await openReceivers()
    onTestFinished(() => receivers.close())
    for (const [name, { url }] of receivers.all) await createWebhook(service, name, url)

    const acknowledged: string[] = []
    let [isOver, isSent, goal]: [boolean, boolean, number | null] = [false, false, null]
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, n) => writeAlways(service, `killed-${n}`, acknowledged, () => isOver)),
    )
    const reading = Promise.all([
      readPages(service, () => goal),
      readPages(service, () => goal),
      followStream(service, () => goal),
    ])
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.race([awaitWrites(acknowledged, WRITES), writing, reading])
      if (round % 3 === 1) receivers.kill()
      if (round % 2 === 1) process.kill(findPostmaster(folder), 'SIGKILL')
      else {
        program.process.kill('SIGKILL')
        await once(program.process, 'exit')
        program = serve(folder)
        service.address = await ready(program)
      }
      if (round % 3 === 1) await receivers.restart()
    }
    await Promise.race([awaitWrites(acknowledged, WRITES), writing, reading])
    isOver = true
    await writing
    goal = (await readPage(service, 'after=last'))?.last ?? 0
    const changes = await listAudited(service)
    for (const events of await reading) {
      expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, at) => at + 1))
      const named = events.filter(({ type }) => type.startsWith('architecture.')).map(nameChange)
      expect(named.toSorted()).toEqual(changes)
    }
    expect(acknowledged.filter((change) => !new Set(changes).has(change))).toEqual([])
    const passing = IS_SHORT ? passTime(folder, () => isSent) : undefined
    for (const [name, { received }] of receivers.all) await expectAll(name, received, changes)
    isSent = true
    await passing
    // A connection that nobody has used delays no stop.
    const unused = createConnection(Number(new URL(service.address).port), '127.0.0.1')
    onTestFinished(() => void unused.destroy())
    await once(unused, 'connect')
    program.process.kill('SIGTERM')
    expect(await program.ended, program.stderr().slice(-2000)).toBe(0)
  },
  120_000 + ROUNDS * 20_000,
)

function serve(folder: string): Program {
  const env = { MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password, MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.1' }
  return start(['--port', '0', '--data-dir', 'data'], folder, env)
}

function findPostmaster(folder: string): number {
  return Number(readPostmaster(folder)[0])
}

/** Reads the lines that PostgreSQL writes about itself: its process first, the folder of its socket fifth. */
function readPostmaster(folder: string): string[] {
  const [file = ''] = globSync(join(folder, 'data/**/postmaster.pid'))
  return readFileSync(file, 'utf8').split('\n')
}

/** Makes failed deliveries due, again and again until all are sent. */
async function passTime(folder: string, isSent: () => boolean): Promise<void> {
  const host = encodeURIComponent(readPostmaster(folder)[4] ?? '')
  await using database = await connect(testConfig({ url: `postgresql://millwright@/millwright?host=${host}` }), quiet)
  while (!isSent()) {
    await rows(
      database.db,
      sql`with made as (update webhook_deliveries set next_attempt_at = now() where next_attempt_at > now() returning id)
        select pg_notify('webhook_deliveries_due', '') from made`,
    )
    await sleep(500)
  }
}

async function awaitWrites(acknowledged: readonly string[], more: number): Promise<void> {
  const goal = acknowledged.length + more
  while (acknowledged.length < goal) await sleep(20)
}

async function createWebhook({ address, headers }: Crowded, name: string, url: string): Promise<void> {
  const webhook = { name, target_url: url, events: ['architecture.*'] }
  const created = await fetch(`${address}/api/webhooks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook }),
  })
  expect(created.status).toBe(201)
}

interface Receivers {
  readonly all: ReadonlyMap<string, Pick<Receiver, 'url' | 'received'>>
  readonly kill: () => void
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a receiver that is killed, a slow one, and one that answers wrongly the first time. */
async function openReceivers(): Promise<Receivers> {
  let killed = await openReceiver()
  const { url, received } = killed
  const slow = await openReceiver(() => sleep(50, 204))
  const refused = new Set<string>()
  const wrong = await openReceiver(({ body }) => {
    const change = nameChange(body)
    if (refused.size > ROUNDS * 5 || refused.has(change)) return 204
    refused.add(change)
    return refused.size % 2 === 0 ? 500 : (request) => request.socket.destroy()
  })
  const all = new Map(Object.entries({ killed: { url, received }, slow, wrong }))
  return {
    all,
    kill: () => void killed[Symbol.asyncDispose](),
    restart: async () => {
      killed = await openReceiver(() => 204, { port: Number(new URL(url).port), received })
    },
    close: async () => {
      for (const one of [killed, slow, wrong]) await one[Symbol.asyncDispose]()
    },
  }
}

/** Lists the changes of records by their audits, sorted. */
async function listAudited({ address, headers }: Crowded): Promise<string[]> {
  const search = encodeURIComponent('type = architecture')
  const answer = await fetch(`${address}/api/audits?per_page=all&search=${search}`, { headers })
  const { results } = (await answer.json()) as {
    readonly results: readonly { readonly auditable_id: number; readonly version: number }[]
  } // a list
  return results.map((one) => `architectures/${one.auditable_id} ${one.version}`).sort()
}

/** Expects each change at a receiver at least once, and the changes of one record in their order. */
async function expectAll(name: string, received: readonly Received[], changes: readonly string[]): Promise<void> {
  await vi.waitFor(
    () => {
      const named = new Set(received.flatMap(({ body }) => (body.data?.version ? [nameChange(body)] : [])))
      expect({ name, missing: changes.filter((change) => !named.has(change)) }).toEqual({ name, missing: [] })
    },
    { timeout: 90_000 + ROUNDS * 5_000, interval: 200 },
  )
  const versions = Map.groupBy(
    received.flatMap(({ body }) => (body.data?.version ? [body] : [])),
    ({ subject }) => subject,
  )
  const unordered = [...versions].filter(([, bodies]) => !isAscending(bodies.map(({ data }) => data.version)))
  expect({ name, unordered }).toEqual({ name, unordered: [] })
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0))
}
