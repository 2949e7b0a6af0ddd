import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { Outage } from '../database/failures.ts'
import { Failure } from '../errors.ts'
import { buildRecordSchema, findResource, permissionsOf, type Registry, readBack } from '../kernel/index.ts'
import { computeOnce } from '../lib/lazy.ts'
import type { Route } from '../requests/route.ts'

/**
 * Builds the routes about the service itself and about the caller (core-api §4.9). `canReadSecrets` tells whether the
 * encryption keys of this process fit the stored secrets; it throws where the database cannot be used.
 */
export function serviceRoutes(
  database: Database,
  registry: Registry,
  version: string,
  canReadSecrets: () => Promise<boolean>,
): Route[] {
  const users = findResource(registry, 'user')
  const common = { method: 'GET', group: 'service' } as const
  return [
    {
      ...common,
      path: '/api/ping',
      id: 'service.ping',
      summary: 'Whether the service and its database answer',
      access: { kind: 'public' },
      answers: { 200: pingResults },
      handle: async () => {
        const milliseconds = await database.ping()
        const state = { active: true, duration_ms: String(Math.round(milliseconds)) }
        return { status: 200, body: { results: { millwright: { database: state } } } }
      },
    },
    {
      ...common,
      path: '/api/status',
      id: 'service.status',
      summary: 'Version of the service and of its API',
      access: { kind: 'login' },
      answers: { 200: serviceState },
      handle: async () => ({ status: 200, body: { result: 'ok', status: 200, version, api_version: 2 } }),
    },
    {
      ...common,
      path: '/api/login_text',
      id: 'service.login_text',
      summary: 'Text shown before login',
      access: { kind: 'public' },
      answers: { 200: loginText },
      handle: async ({ settings }) => ({
        status: 200,
        body: { login_text: settings.login_text.replaceAll('$VERSION', () => version) },
      }),
    },
    {
      ...common,
      path: '/api/current_user',
      id: 'service.current_user',
      summary: 'Show the caller',
      access: { kind: 'login' },
      answers: { 200: buildRecordSchema(users, users.views.show) },
      handle: async (ctx) => ({ status: 200, body: await readBack(ctx, users, ctx.user.id) }),
    },
    {
      ...common,
      path: '/api/current_user/permissions',
      id: 'service.current_permissions',
      summary: 'Permissions of the caller, by name; conditions may limit each to some records',
      access: { kind: 'login' },
      answers: { 200: callerPermissions },
      handle: async ({ user: { id, login, name, admin, grants } }) => {
        const all = permissionsOf(registry).map((permission) => permission.name)
        const permissions = admin ? all : all.filter((one) => grants.has(one))
        return { status: 200, body: { id, login, name, admin, permissions: permissions.toSorted() } }
      },
    },
    {
      ...common,
      path: '/livez',
      id: 'service.livez',
      summary: 'Whether the process runs',
      access: { kind: 'public' },
      answers: { 200: okay },
      handle: async () => ({ status: 200, body: { status: 'ok' } }),
    },
    {
      ...common,
      path: '/readyz',
      id: 'service.readyz',
      summary: 'Whether requests can be answered now',
      access: { kind: 'public' },
      answers: { 200: okay },
      handle: async () => {
        const readable = await canReadSecrets().catch((cause) => {
          if (cause instanceof Outage) throw cause
          throw new Failure('unavailable', 'The database does not answer', {}, { cause })
        })
        if (!readable) throw new Failure('unavailable', 'Stored secrets cannot be read with the encryption keys here')
        return { status: 200, body: { status: 'ok' } }
      },
    },
  ]
}

const loginText = z.object({
  login_text: z.string().meta({ description: 'The setting of that name, with the version of the program in it.' }),
})
const callerPermissions = z.object({
  id: z.int().meta({ description: 'Id of the caller.' }),
  login: z.string().meta({ description: 'Login of the caller.' }),
  name: z.string().meta({ description: 'Name of the caller.' }),
  admin: z.boolean().meta({ description: 'Whether the caller may do everything.' }),
  permissions: z.array(z.string()).meta({ description: 'Names of permissions, sorted.' }),
})
const okay = z.object({ status: z.literal('ok').meta({ description: 'The service and its database answer.' }) })
const databaseState = z.object({
  active: z.boolean().meta({ description: 'Whether the database answers.' }),
  duration_ms: z.string().meta({ description: 'Duration in milliseconds.' }),
})
const pingResults = z.object({
  results: z
    .object({
      millwright: z
        .object({ database: databaseState.meta({ description: 'Its database.' }) })
        .meta({ description: 'This service.' }),
    })
    .meta({ description: 'State of each part.' }),
})
const serviceState = z.object({
  result: z.string().meta({ description: 'ok' }),
  status: z.int().meta({ description: 'The status of this answer.', examples: [200] }),
  version: z.string().meta({ description: 'Version of the program.' }),
  api_version: z.int().meta({ description: 'Version of the API.', examples: [2] }),
})

/** Builds `GET /api`, which lists the paths of all routes by group and id. */
export function indexRoute(routes: readonly Route[]): Route {
  const listLinks = computeOnce(() => {
    const groups = Map.groupBy(routes, ({ group }) => group)
    return Object.fromEntries(
      [...groups].map(([group, ofGroup]) => [group, Object.fromEntries(ofGroup.map(({ id, path }) => [id, path]))]),
    )
  })
  return {
    method: 'GET',
    path: '/api',
    id: 'service.index',
    group: 'service',
    summary: 'Every path of the API',
    access: { kind: 'login' },
    answers: { 200: z.object({ links: linksByGroup }) },
    handle: async () => ({ status: 200, body: { links: listLinks() } }),
  }
}

const linksByGroup = z
  .record(z.string(), z.record(z.string(), z.string()))
  .meta({ description: 'Paths by group and name of the operation.' })
