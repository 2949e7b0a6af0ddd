import { setTimeout as sleep } from 'node:timers/promises'

/** A service that may be killed and started again at another address. */
export interface Crowded {
  address: string
  readonly headers: Readonly<Record<string, string>>
}

/** An event, as feeds and webhooks send it. */
export interface FeedEvent {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly data: { readonly version?: number }
}

/** Names a change of a record, the same in audits, feeds and deliveries. */
export function nameChange({ subject, data }: FeedEvent): string {
  return `${subject} ${data.version}`
}

const PAUSE_MS = 100

/** Creates, renames and deletes records until it is over, and adds each change that was acknowledged. */
export async function writeAlways(
  service: Crowded,
  name: string,
  acknowledged: string[],
  isOver: () => boolean,
): Promise<void> {
  for (let at = 0; !isOver(); at++) {
    const written = `${name}-${at}`
    const id = await send(service, 'POST', '', { name: written })
    if (id === null) continue
    acknowledged.push(`architectures/${id} 1`)
    if ((await send(service, 'PUT', `/${id}`, { name: `${written}-renamed` })) === null) continue
    acknowledged.push(`architectures/${id} 2`)
    if (at % 2 === 0 && (await send(service, 'DELETE', `/${id}`)) !== null) acknowledged.push(`architectures/${id} 3`)
  }
}

/** Sends a write, and yields the id of its record; null when there was no service or no database. */
async function send(
  { address, headers }: Crowded,
  method: string,
  path: string,
  body?: object,
): Promise<number | null> {
  await sleep(PAUSE_MS)
  return unlessAway(async () => {
    const sent = body && { body: JSON.stringify(body) }
    const answer = await fetch(`${address}/api/architectures${path}`, {
      ...{ method, headers: { ...headers, 'content-type': 'application/json' } },
      ...sent,
    })
    const text = await answer.text()
    if (answer.status < 300) return Number(JSON.parse(text).id)
    if (answer.status < 500) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return null
  })
}

/** Yields what the work does; null when a connection breaks off. */
async function unlessAway<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Reads pages of the feed up to the goal, once there is one, and yields all events in the order in which they came. */
export async function readPages(service: Crowded, goal: () => number | null): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let position = 0; position < (goal() ?? Number.POSITIVE_INFINITY); await sleep(PAUSE_MS)) {
    const page = await readPage(service, `after=${position}&limit=500`)
    if (page === null) continue
    events.push(...page.results)
    position = page.last
  }
  return events
}

/** Reads a page of the feed; null when there was no service or no database. */
export async function readPage({ address, headers }: Crowded, query: string) {
  return unlessAway(async () => {
    const answer = await fetch(`${address}/api/events?${query}`, { headers })
    if (answer.status >= 500) return null
    if (answer.status !== 200) throw new Error(`the feed answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { readonly results: readonly FeedEvent[]; readonly last: number } // a page of the feed
  })
}

/** Follows the stream of events up to the goal, once there is one; goes on after the last event when it breaks off. */
export async function followStream(service: Crowded, goal: () => number | null): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  while (Number(events.at(-1)?.id ?? 0) < (goal() ?? Number.POSITIVE_INFINITY)) {
    await unlessAway(() => readStream(service, events, goal))
    await sleep(PAUSE_MS)
  }
  return events
}

async function readStream(service: Crowded, events: FeedEvent[], goal: () => number | null): Promise<void> {
  const answer = await fetch(`${service.address}/api/events`, {
    headers: { ...service.headers, accept: 'text/event-stream', 'last-event-id': events.at(-1)?.id ?? '0' },
  })
  if (answer.status !== 200) return void (await answer.text())
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const [, data = ''] of parts.join('\n').matchAll(/^data: ?(.*)$/gm)) events.push(JSON.parse(data))
    if (Number(events.at(-1)?.id ?? 0) >= (goal() ?? Number.POSITIVE_INFINITY)) return
  }
}
