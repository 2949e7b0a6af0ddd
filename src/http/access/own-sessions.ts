import { z } from 'zod'
import { endOwnSessions, listOwnSessions, refuseAdministrators, type SessionOwner } from '../../areas/access/index.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { findResource, limitToVisible, type Registry, selectRecord } from '../../kernel/index.ts'
import { listQuery, offsetOf, readPaging } from '../../requests/paging.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { answerUnsearched, buildUnsearchedPageSchema } from '../../requests/unsearched.ts'

const number = (description: string) => z.int().meta({ description })
const text = (description: string) => z.string().meta({ description })

const SESSION = z
  .object({
    id: number('Its id, which is no credential.'),
    created_at: text('Time of the start.'),
    last_seen_at: text('Time of the last use, to the minute.'),
    address: z.string().nullable().meta({
      description:
        'Address from which the session was started; null for one that several requests share at the second port.',
    }),
    user_agent: z.string().nullable().meta({ description: 'User agent of the program that began the session.' }),
    current: z.boolean().meta({ description: 'Whether this request belongs to it.' }),
  })
  .meta({ title: 'Session', description: 'A login session.' })

const PAGE = buildUnsearchedPageSchema(SESSION, {
  total: 'All that count.',
  perPage: 'Sessions on a page.',
  order: 'Sessions used last come first.',
  results: 'The sessions, those used last first.',
})

/** Builds the routes that list and end sessions: the caller's own, and those of users whom the caller may edit. */
export function sessionListRoutes(registry: Registry): Route[] {
  return [...ownSessionRoutes(), ...sessionsOfUsers(registry)]
}

/** Whoever may edit a user sees where they are logged in, and ends what looks wrong. */
function sessionsOfUsers(registry: Registry): Route[] {
  const common = { group: 'sessions', access: { kind: 'permission', anyOf: ['edit_users'], own: true } } as const
  const { page, per_page } = listQuery
  return [
    {
      ...common,
      method: 'GET',
      path: '/api/users/:user_id/sessions',
      id: 'users.sessions.list',
      summary: 'List where a user is logged in',
      query: z.object({ page, per_page }),
      answers: { 200: PAGE },
      handle: async (ctx, input) => list(ctx, input, await findOwnerOf(ctx, registry, input)),
    },
    {
      ...common,
      method: 'DELETE',
      path: '/api/users/:user_id/sessions/:id',
      id: 'users.sessions.end',
      notInBatch: true,
      invalidates: 'identities',
      summary: 'End a session of a user',
      answers: { 200: SESSION },
      handle: async (ctx, input) => end(ctx, input, await findOwnerOf(ctx, registry, input)),
    },
  ]
}

/** Finds the user of the path, whom the caller may edit. {@throws Failure} not_found, invalid */
async function findOwnerOf(ctx: Context, registry: Registry, { params }: Input): Promise<SessionOwner> {
  const users = findResource(registry, 'user')
  const { user_id = '' } = params
  const found = await selectRecord(ctx.db, users, ['id'], user_id, limitToVisible(ctx, users, 'edit_users', true))
  if (!found) throw notFound('user', user_id)
  const userId = Number(found.id)
  await refuseAdministrators(ctx, userId)
  return { ...ownerOf(ctx), userId }
}

/** Builds the routes about the caller's own sessions, whatever the caller's permissions. */
function ownSessionRoutes(): Route[] {
  const common = { group: 'sessions', access: { kind: 'login' } } as const
  const ending = { ...common, access: { kind: 'login', unlimited: true } } as const
  const { page, per_page } = listQuery
  return [
    {
      ...common,
      method: 'GET',
      path: '/api/current_user/sessions',
      id: 'sessions.list',
      summary: 'List where the caller is logged in',
      query: z.object({ page, per_page }),
      answers: { 200: PAGE },
      handle: (ctx, input) => list(ctx, input),
    },
    {
      ...ending,
      method: 'DELETE',
      path: '/api/current_user/sessions/:id',
      id: 'sessions.end',
      notInBatch: true,
      invalidates: 'identities',
      summary: 'End a session of the caller',
      answers: { 200: SESSION },
      handle: (ctx, input) => end(ctx, input),
    },
    {
      ...ending,
      method: 'DELETE',
      path: '/api/current_user/sessions',
      id: 'sessions.end_others',
      notInBatch: true,
      invalidates: 'identities',
      summary: 'End all sessions of the caller but the one that asks',
      answers: { 200: z.object({ results: z.array(SESSION).meta({ description: 'The sessions that were ended.' }) }) },
      handle: async (ctx) => ({ status: 200, body: { results: await endOwnSessions(ctx.db, ownerOf(ctx), 'others') } }),
    },
  ]
}

async function list(ctx: Context, { query }: Input, owner = ownerOf(ctx)): Promise<Answer> {
  const paging = readPaging(query, ctx.settings.entries_per_page)
  const limited = { limit: paging.perPage, offset: offsetOf(paging) }
  const { total, sessions } = await listOwnSessions(ctx.db, owner, limited)
  return answerUnsearched(paging, total, sessions)
}

async function end(ctx: Context, { params }: Input, owner = ownerOf(ctx)): Promise<Answer> {
  const { id = '' } = params
  const [ended] = /^\d{1,15}$/.test(id) ? await endOwnSessions(ctx.db, owner, Number(id)) : []
  if (!ended) throw notFound('session', id)
  return { status: 200, body: ended }
}

function ownerOf({ user, origin, settings }: Context): SessionOwner {
  return { userId: user.id, cookie: origin.session, idleMinutes: settings.idle_timeout }
}
