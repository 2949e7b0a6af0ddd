import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, computeQuantile, get, type Pace } from '../measure.ts'
import { startGenerator, startService } from '../processes.ts'
import { createAdministratorToken, type Send, sendTo, timeWork } from '../sending.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const EVENTS_PER_SECOND = 10_000
const WEBHOOK_MS = 250
const PAST_TIMES = 3
const SINGLE = 300

/** The feed of events, writers beside a large batch, webhooks, and records of the past. */
export async function measureEvents(stages: Stages, pace: Pace): Promise<Line[]> {
  const { env, organization, location } = await stages.fleet()
  await using service = await startService(stages.folder, { ...env, MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.1' })
  const token = await createAdministratorToken(service.port, { env })
  const send = sendTo(service.port, `Bearer ${token}`)
  const lines = [...(await measureBatch(send)), await measureFeed(send), await measureWebhook(send)]
  const { id } = await send('POST', '/api/hosts', {
    host: { name: 'past.example.test', managed: false, organization_id: organization, location_id: location },
  })
  await send('PUT', `/api/hosts/${id}`, { host: { comment: 'before' } })
  await sleep(100)
  const time = new Date().toISOString()
  await sleep(100)
  await send('PUT', `/api/hosts/${id}`, { host: { comment: 'after' } })
  const paths = [`/api/hosts/${id}`, `/api/hosts/${id}?as_of=${time}`]
  await using generator = startGenerator()
  const subjects = paths.map((path) => ({ port: service.port, requests: [get(path, token)] }))
  const [today, past] = await compare(generator, subjects, pace)
  const ratio = (past?.p50 ?? 0) / (today?.p50 ?? 1)
  return [
    ...lines,
    { ...ROW, work: 'show a host', ...today },
    {
      ...{ ...ROW, work: 'show a host as it was', ...past },
      ...{ ratio, to: 'p50 of show', budget: { text: `<= ${PAST_TIMES} times`, met: ratio <= PAST_TIMES } },
    },
  ]
}

const ROW = { row: 'events', database: 'PostgreSQL' } as const

/** Changes all hosts in one batch. Another writer creates records one after the other, alone and beside the batch. */
async function measureBatch(send: Send): Promise<Line[]> {
  const { results } = await send('GET', '/api/hosts?per_page=all&fields=id')
  const operations = results.map(({ id }, n) => ({
    method: 'PUT',
    path: `/api/hosts/${id}`,
    body: { host: { comment: `number ${n}` } },
  }))
  const alone: number[] = []
  for (let n = 0; n < SINGLE; n++) await timeWork(alone, () => createArchitecture(send, `alone-${n}`))
  const [beside, batch]: number[][] = [[], []]
  let isRunning = true
  const running = timeWork(batch ?? [], () => send('POST', '/api/batch', { operations })).finally(() => {
    isRunning = false
  })
  for (let n = 0; isRunning; n++) await timeWork(beside ?? [], () => createArchitecture(send, `beside-${n}`))
  await running
  const count = operations.length.toLocaleString('en')
  return [
    { ...ROW, work: `change ${count} hosts in a batch`, milliseconds: batch?.[0] ?? 0 },
    { ...ROW, work: 'create an architecture', ...quantilesOf(alone) },
    { ...ROW, work: '  beside this batch', ...quantilesOf(beside ?? []) },
  ]
}

/** Reads all events, as a program does that was away. */
async function measureFeed(send: Send): Promise<Line> {
  const last = await awaitNumbers(send)
  const started = performance.now()
  let count = 0
  for (let after = 0; after < last; ) {
    const page = await readFeed(send, `after=${after}&limit=1000`)
    count += page.results.length
    after = page.last
  }
  const perSecond = count / ((performance.now() - started) / 1000)
  const met = perSecond >= EVENTS_PER_SECOND
  const budget = { text: `>= ${EVENTS_PER_SECOND.toLocaleString('en')} events/s`, met }
  const figure = `${Math.round(perSecond).toLocaleString('en')} events/s`
  return { ...ROW, work: `read ${count.toLocaleString('en')} events from the feed`, figure, budget }
}

/** Waits until all changes have numbers, and yields the last one. */
async function awaitNumbers(send: Send): Promise<number> {
  for (let before = -1; ; ) {
    const { last } = await readFeed(send, 'after=last')
    if (last === before) return last
    before = last
    await sleep(500)
  }
}

async function readFeed(send: Send, query: string): Promise<{ last: number; results: readonly unknown[] }> {
  return (await send('GET', `/api/events?${query}`)) as unknown as { last: number; results: readonly unknown[] } // a page of the feed
}

/** Times from the answer to a write, which comes after the commit, to the request at the receiver of a webhook. */
async function measureWebhook(send: Send): Promise<Line> {
  const arrived = new Map<string, number>()
  const receiver = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const name = JSON.parse(text).data?.record?.name
    if (name !== undefined) arrived.set(name, performance.now())
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo // it listens on a port
  const target_url = `http://127.0.0.1:${port}/`
  await send('POST', '/api/webhooks', { webhook: { name: 'bench', target_url, events: ['architecture.*'] } })
  const answered = new Map<string, number>()
  for (let n = 0; n < SINGLE; n++) {
    const name = `sent-${n}`
    await createArchitecture(send, name)
    answered.set(name, performance.now())
    await sleep(10)
  }
  for (let waited = 0; arrived.size < SINGLE && waited < 10_000; waited += 50) await sleep(50)
  receiver.closeAllConnections()
  receiver.close()
  if (arrived.size < SINGLE) throw new Error(`the receiver got ${arrived.size} of ${SINGLE} events`)
  const times = [...answered].map(([name, time]) => Math.max(0, (arrived.get(name) ?? 0) - time))
  const { p50, p99 } = quantilesOf(times)
  const budget = { text: `p99 <= ${WEBHOOK_MS} ms`, met: p99 <= WEBHOOK_MS }
  return { ...ROW, work: 'from the commit to the request of a webhook', p50, p99, budget }
}

const createArchitecture = (send: Send, name: string) => send('POST', '/api/architectures', { architecture: { name } })

function quantilesOf(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  return { p50: computeQuantile(times, 0.5), p99: computeQuantile(times, 0.99) }
}
