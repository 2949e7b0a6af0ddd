import { setTimeout as sleep } from 'node:timers/promises'
import { membersOf } from '../../lib/values.ts'
import { type Rest, readRest } from '../arguments.ts'
import { EXIT, Failure, usage } from '../failure.ts'
import { askWell, open } from '../request.ts'
import { takeWord, targetOf, withCommonFlags } from '../taking.ts'
import type { Target } from './contexts.ts'
import { eventsOf, type ServerEvent } from './server-events.ts'
import type { Session } from './session.ts'

const FILTERS = ['type', 'resource', 'record', 'search']

/** Prints events, one JSON a line: those that there are, or with `--follow` those that come. */
export async function printEvents(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, new Map([...withCommonFlags([...FILTERS, 'after']), ['follow', '']]))
  session.use(rest.values)
  if (rest.words.length > 0)
    throw usage(`usage: millwright events [--follow] [--after N] [--type TYPES] [--resource RESOURCE]`)
  const target = targetOf(session)
  const after = rest.values.get('after')?.at(-1)
  const query = readFilters(rest)
  if (rest.values.get('follow')?.at(-1) === 'true')
    return followEvents(target, query, after ?? 'last', (event) => session.write(`${event.data}\n`))
  for (let position = after; ; ) {
    const path = pathOf(query, { ...(position !== undefined && { after: position }), limit: '1000' })
    const { results, last } = membersOf((await askWell(target, { method: 'GET', path })).body)
    for (const event of Array.isArray(results) ? results : []) await session.write(`${JSON.stringify(event)}\n`)
    if (String(last) === position) return EXIT.done
    position = String(last)
  }
}

/** Sends new events to a URL until it is interrupted, and says how each was answered. */
export async function forwardEvents(session: Session, rest: Rest): Promise<number> {
  const url = takeWord(rest, [], ['forward-to'], 'webhook listen --forward-to URL')
  if (!URL.canParse(url)) throw usage('--forward-to must be a URL such as http://127.0.0.1:8080/hook')
  await session.note(`Events go to ${url} until this is interrupted.`)
  return followEvents(targetOf(session), readFilters(rest), 'last', async ({ name, id, data }) => {
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': `evt_${id}`,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    }
    const outcome = await fetch(url, { method: 'POST', headers, body: data, redirect: 'manual' }).then(
      async (answer) => {
        await answer.body?.cancel()
        return String(answer.status)
      },
      (error: unknown) => `not sent: ${error instanceof Error ? error.message : error}`,
    )
    await session.write(`${id} ${name} ${outcome}\n`)
  })
}

function readFilters({ values }: Rest): Record<string, string> {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = values.get(name)?.at(-1)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function pathOf(query: Readonly<Record<string, string>>, more: Readonly<Record<string, string>>): string {
  return `/api/events?${new URLSearchParams({ ...query, ...more })}`
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [200, 5000]

/** Handles events as they come. A connection that breaks is opened again behind the last event. */
async function followEvents(
  target: Target,
  query: Readonly<Record<string, string>>,
  after: string,
  handle: (event: ServerEvent) => Promise<unknown>,
): Promise<number> {
  // A number, so that nothing between two connections is missed.
  const found = await askWell(target, { method: 'GET', path: pathOf(query, { after, limit: '1' }) })
  let last = after === 'last' ? String(membersOf(found.body).last) : after
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const accepts = 'text/event-stream, application/json'
      const response = await open(target, {
        method: 'GET',
        path: pathOf(query, {}),
        headers: { 'last-event-id': last },
        accepts,
      })
      if (response.statusCode === 200)
        for await (const event of eventsOf(response)) {
          if (event.id === '') continue
          await handle(event)
          last = event.id
          pause = FIRST_PAUSE_MS
        }
      else if ((response.statusCode ?? 500) < 500)
        throw new Failure(EXIT.refused, `the server refuses the feed after event ${last} with ${response.statusCode}`)
    } catch (error) {
      if (error instanceof Failure && error.code === EXIT.refused) throw error
    }
    await sleep(pause)
  }
}
