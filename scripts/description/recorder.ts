import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import type { Input, Route } from '../../src/requests/route.ts'
import type { openApi } from '../../src/service/service.ts'
import { sql } from '../../src/sql.ts'

/** A request that was sent to the service, with its answer: a value where that is JSON, else its text, none where it is empty. */
export interface Recorded {
  readonly input: Partial<Input>
  readonly answer?: unknown
}

/** Sends requests through the front door and keeps those that are examples. */
export interface Recorder {
  /** Sends what an operation is called by, such as `hosts.enc`, keeps it as its example, and yields its answer. */
  readonly record: (key: string, input?: Request) => Promise<Shown>
  /** Creates a record at a path, and yields it. */
  readonly make: (path: string, body: object) => Promise<Shown>
  /** Sends any other request, as somebody with these headers. */
  readonly send: (options: InjectOptions) => Promise<Shown>
  /** Does the tasks that wait. */
  readonly finishTasks: () => Promise<void>
  /** Does the configuration runs that wait. */
  readonly finishRuns: () => Promise<void>
  readonly recorded: ReadonlyMap<string, Recorded>
}

/** A record, or what else an answer shows. */
// biome-ignore lint/suspicious/noExplicitAny: a tour looks into answers of every shape
export type Shown = any

interface Request {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Headers instead of those of the administrator. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Yields what the pages at /docs call the operation of a route. */
export function keyOf({ group, id }: Pick<Route, 'group' | 'id'>): string {
  return `${group}.${id.split('.').at(-1)}`
}

type Api = Awaited<ReturnType<typeof openApi>>

/** Opens a recorder of what an administrator sends, who logs in by `authorization`. */
export function openRecorder(api: Api, database: Database, authorization: string): Recorder {
  const recorded = new Map<string, Recorded>()
  const inject = async (server: FastifyInstance, options: InjectOptions) => {
    const answer = await server.inject({ ...options, headers: { authorization, ...JSON_BODY, ...options.headers } })
    if (answer.statusCode >= 300) throw new Error(`${options.method} ${options.url}: ${answer.body}`)
    const isJson = /json/.test(`${answer.headers['content-type']}`)
    return { cookie: answer.headers['set-cookie'], body: isJson ? answer.json() : answer.body || undefined }
  }
  const send = async (options: InjectOptions) => {
    const { cookie, body } = await inject(api.server, options)
    return cookie === undefined ? body : { ...body, cookie: `${[cookie].flat()[0]}`.split(';')[0] }
  }
  return {
    recorded,
    send,
    make: (path, payload) => send({ method: 'POST', url: path, payload }),
    async record(key, { params = {}, query = {}, body, headers } = {}) {
      const route = shortest(api.routes.filter((one) => keyOf(one) === key))
      const url = route.path.replace(/:(\w+)/g, (_, name) => `${params[name]}`)
      const texts = toTexts(query)
      const form = route.form && body ? String(new URLSearchParams(toTexts(body))) : null
      const sent = {
        method: route.method,
        url: `${url}?${new URLSearchParams(texts)}`,
        ...(body !== undefined && { payload: form ?? body }),
        ...((headers || form !== null) && { headers: { ...headers, ...(form !== null && FORM_BODY) } }),
      }
      const shown = await inject(api.server, sent as InjectOptions) // the methods of routes are those of requests
      const input = { params: toTexts(params), query: texts, ...(body !== undefined && { body }) }
      recorded.set(key, { input, answer: shown.body })
      return shown.body
    },
    async finishTasks() {
      await using _workers = await api.startTaskWorkers()
      while ((await rows(database.db, sql`select from tasks where state <> 'stopped'`)).length > 0) await wait(20)
    },
    async finishRuns() {
      await using _workers = await api.startRunWorkers()
      while ((await rows(database.db, sql`select from config_runs where finished_at is null`)).length > 0)
        await wait(20)
    },
  }
}

const JSON_BODY = { 'content-type': 'application/json' }
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' }

function shortest(routes: readonly Route[]): Route {
  const [route] = routes.toSorted((one, other) => one.path.length - other.path.length)
  if (!route) throw new Error('there is no such operation')
  return route
}

function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}`]))
}
