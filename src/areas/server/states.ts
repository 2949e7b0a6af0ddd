import { z } from 'zod'
import { type Contact, type Context, hasPermission } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import {
  type Condition,
  findResource,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Registry,
  ROOT,
} from '../../kernel/index.ts'
import type { Route } from '../../requests/route.ts'
import { formatTime } from '../../requests/times.ts'
import { sql } from '../../sql.ts'
import { listJobResults } from './jobs/jobs.ts'

const SETTINGS = 'view_settings'
const UNKNOWN: Contact = { state: 'unknown', since: null, message: null }

const SINCE = { description: 'Time of the first of the failures in a row.' }
const MESSAGE = { description: 'The reason in a sentence.' }

const STATES = z.object({
  directories: z
    .array(
      z.object({
        id: z.int().meta({ description: 'Id of the directory.' }),
        name: z.string().meta({ description: 'Its name.' }),
        state: z
          .enum(['well', 'ill', 'unknown'])
          .meta({ description: 'How its last contact ended; unknown: nobody logged in through it lately.' }),
        since: z.string().nullable().meta(SINCE),
        message: z.string().nullable().meta(MESSAGE),
      }),
    )
    .meta({ description: 'All directories that the caller may view.' }),
  smart_proxies: z
    .array(
      z.object({
        id: z.int().meta({ description: 'Id of the smart proxy.' }),
        name: z.string().meta({ description: 'Its name.' }),
        since: z.string().meta(SINCE),
        message: z.string().meta(MESSAGE),
      }),
    )
    .meta({ description: 'The smart proxies that the caller may view and whose last contact failed.' }),
  jobs: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Name of the job.' }),
        ended_at: z.string().meta({ description: 'End of its last execution, in any process.' }),
      }),
    )
    .meta({ description: `Periodic jobs whose last execution failed; empty without ${SETTINGS}.` }),
})

/**
 * Builds `GET /api/states`: what the process that answers knows of other machines from the contacts that requests and jobs
 * had with them. The route contacts none itself.
 */
export function statesRoute(registry: Registry): Route {
  return {
    method: 'GET',
    path: '/api/states',
    id: 'states.show',
    group: 'states',
    summary: 'Show which directories, smart proxies and periodic jobs do not work, as the answering process saw it',
    access: { kind: 'permission', anyOf: ['view_authenticators', 'view_smart_proxies', SETTINGS], own: false },
    answers: { 200: STATES },
    handle: async (ctx) => ({
      status: 200,
      body: {
        directories: await listDirectories(ctx, registry),
        smart_proxies: await listIllProxies(ctx, registry),
        jobs: await listFailedJobs(ctx),
      },
    }),
  }
}

interface Seen {
  readonly id: number
  readonly name: string
  readonly url: string | null
}

async function listDirectories(ctx: Context, registry: Registry) {
  const contacts = new Map(ctx.directories.states().map(({ id, contact }) => [id, contact]))
  const seen = await listSeen(ctx, registry, { resource: 'auth_source_ldap', url: sql`null` })
  return seen.map(({ id, name }) => ({ id, name, ...present(contacts.get(id) ?? UNKNOWN) }))
}

async function listIllProxies(ctx: Context, registry: Registry) {
  const ill = ctx.proxies.contacts.ill()
  if (ill.size === 0) return []
  const url = sql.ref(`${ROOT}.url`)
  const isIll = { sql: sql`${url} = any (${[...ill.keys()]}::text[])`, tables: [] }
  const seen = await listSeen(ctx, registry, { resource: 'smart_proxy', url, only: [isIll] })
  return seen.flatMap(({ id, name, url }) => {
    const contact = ill.get(url ?? '')
    if (contact?.state !== 'ill') return []
    return [{ id, name, since: formatDate(contact.since), message: contact.message }]
  })
}

async function listFailedJobs(ctx: Context) {
  if (!hasPermission(ctx, SETTINGS)) return []
  const results = await listJobResults(ctx.db)
  return results
    .filter(({ failed }) => failed)
    .map(({ name, endedAt }) => ({ name, ended_at: formatDate(new Date(endedAt * 1000)) }))
}

interface Question {
  readonly resource: string
  readonly url: Sql
  readonly only?: readonly Condition[]
}

/** Lists the records of a resource that the caller may view. */
async function listSeen(ctx: Context, registry: Registry, { resource: name, url, only = [] }: Question) {
  const resource = findResource(registry, name)
  const permission = permissionOf(resource, 'view')
  if (!hasPermission(ctx, permission)) return []
  const conditions = joinConditions([...only, ...limitToVisible(ctx, resource, permission)])
  const table = sql`${sql.ref(resource.table)} ${sql.ref(ROOT)}`
  return rows<Seen>(
    ctx.db,
    sql`select ${sql.ref(`${ROOT}.id`)} as id, ${sql.ref(`${ROOT}.name`)} as name, ${url} as url from ${table}
      where ${conditions} order by ${sql.ref(`${ROOT}.name`)}`,
  )
}

function present({ state, since, message }: Contact) {
  return { state, since: since && formatDate(since), message }
}

function formatDate(date: Date): string {
  return formatTime(date.toISOString().replace('T', ' '), 'view')
}
