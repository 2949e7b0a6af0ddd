import { membersOf } from '../../lib/values.ts'
import type { Rest } from '../arguments.ts'
import { EXIT, Failure } from '../failure.ts'
import { askWell, open } from '../request.ts'
import { takeWord, targetOf } from '../taking.ts'
import type { Target } from './contexts.ts'
import { eventsOf } from './server-events.ts'
import type { Session } from './session.ts'

/** Starts a run, and follows it where that is asked for. */
export async function startRun(session: Session, rest: Rest): Promise<number> {
  const host = takeWord(rest, [...rest.words], ['host'], 'run start HOST [--follow]')
  const target = targetOf(session)
  const path = `/api/hosts/${encodeURIComponent(host)}/configrun`
  const { headers } = await askWell(target, { method: 'PUT', path, body: {} })
  const id = /config_runs\/(\d+)/.exec(String(headers.link ?? ''))?.[1]
  if (id === undefined) throw new Failure(EXIT.refused, 'the server did not say which run this is')
  if (rest.values.get('follow')?.at(-1) === 'true' || rest.values.get('wait')?.at(-1) === 'true')
    return follow(session, target, id)
  await session.write(`Run ${id} of ${host} is queued; follow it: millwright run follow ${id}\n`)
  return EXIT.done
}

/** Prints the output of a run until it has ended. */
export async function followRun(session: Session, rest: Rest): Promise<number> {
  return follow(session, targetOf(session), takeWord(rest, [...rest.words], ['id'], 'run follow ID'))
}

interface Ended {
  readonly status?: string
  readonly message?: string | null
  readonly exit_status?: number | null
}

/** Prints the output of a run while it runs. An interruption ends the printing, not the run. */
async function follow(session: Session, target: Target, id: string): Promise<number> {
  const leave = () => {
    session.streams.stderr.write(`\nThe run goes on; follow it again: millwright run follow ${id}\n`)
    process.exit(130)
  }
  process.once('SIGINT', leave)
  let ended: Ended | null = null
  let last = ''
  for (let attempt = 0; ended === null && attempt < 5; attempt++) {
    const path = `/api/config_runs/${encodeURIComponent(id)}/events`
    const headers: Record<string, string> = last ? { 'last-event-id': last } : {}
    const response = await open(target, {
      method: 'GET',
      path,
      headers,
      accepts: 'text/event-stream, application/json',
    })
    if (response.statusCode !== 200) break
    try {
      for await (const event of eventsOf(response)) {
        if (event.id) last = event.id
        if (event.name === 'end') ended = JSON.parse(event.data) as Ended // written by our own server
        if (event.name === 'output') await session.write(String(membersOf(JSON.parse(event.data)).text ?? ''))
      }
    } catch {
      // A broken connection is opened again where it left off.
    }
  }
  process.removeListener('SIGINT', leave)
  const outcome =
    ended ??
    ((await askWell(target, { method: 'GET', path: `/api/config_runs/${encodeURIComponent(id)}` })).body as Ended)
  if (outcome.status === 'succeeded') {
    await session.note(`Run ${id} has succeeded.`)
    return EXIT.done
  }
  const reason = outcome.message ?? (outcome.exit_status ? `it ended with ${outcome.exit_status}` : '')
  throw new Failure(EXIT.failed, `run ${id} is ${outcome.status ?? 'unknown'}${reason ? `: ${reason}` : ''}`)
}

interface Task {
  readonly state?: string
  readonly result?: string
  readonly progress?: number
  readonly humanized?: { readonly errors?: readonly string[] }
}

/** Waits until a task has ended, and shows its progress in a terminal. */
export async function followTask(session: Session, rest: Rest): Promise<number> {
  await waitForTask(session, targetOf(session), takeWord(rest, [...rest.words], ['id'], 'task follow ID'))
  return EXIT.done
}

/** Waits for a task and yields it once it has succeeded; throws when it failed. */
export async function waitForTask(session: Session, target: Target, id: string): Promise<unknown> {
  const { stderr } = session.streams
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 2000)) {
    const { body } = await askWell(target, { method: 'GET', path: `/api/tasks/${encodeURIComponent(id)}` })
    const { state, result, progress = 0, humanized } = body as Task
    const isShown = stderr.isTTY && session.option('quiet') !== 'true'
    if (isShown) stderr.write(`\r[${'#'.repeat(Math.round(progress * 30)).padEnd(30)}] ${Math.round(progress * 100)} %`)
    if (state === 'stopped' || state === 'paused') {
      if (isShown) stderr.write('\n')
      if (result === 'success' || result === 'warning') return body
      throw new Failure(EXIT.failed, `task ${id} ended: ${result ?? state}`, ...(humanized?.errors ?? []))
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
