import { z } from 'zod'
import { type Context, hasPermission, inTransaction } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { badParameter, notFound } from '../../../errors.ts'
import {
  compileRequestSearch,
  findResource,
  joinConditions,
  limitToVisible,
  type Registry,
  type Resource,
  selectRecord,
} from '../../../kernel/index.ts'
import { readChoice } from '../../../records/choice.ts'
import { listQuery, offsetOf, readPaging } from '../../../requests/paging.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { selectMoment } from '../../../requests/times.ts'
import { answerUnsearched, buildUnsearchedPageSchema } from '../../../requests/unsearched.ts'
import { sql } from '../../../sql.ts'
import { type Ended, endTokens } from './ending.ts'

const time = (description: string) => z.string().nullable().meta({ description })

const TOKEN = z
  .object({
    id: z.int().meta({ description: 'Its id.' }),
    user_id: z.int().meta({ description: 'User in whose name it registers hosts: the one who created it.' }),
    user_login: z.string().meta({ description: 'Login of that user.' }),
    organization_id: z
      .int()
      .nullable()
      .meta({ description: 'Organization of the hosts, where the caller belongs to it.' }),
    location_id: z
      .int()
      .nullable()
      .meta({ description: 'Location of the hosts, in the same way; null: any that its user may name.' }),
    hostgroup_id: z
      .int()
      .nullable()
      .meta({ description: 'Host group of the hosts, in the same way; null: any that its user may name, or none.' }),
    activation_keys: z
      .array(z.string())
      .meta({ description: 'Names of the keys that its hosts may register with, in the same way.' }),
    created_at: time('Time of creation.'),
    expires_at: time('From when on it does not count.'),
    uses: z.int().meta({ description: 'Number of times that the script of the command was fetched with it.' }),
    last_used_at: time('Time when it was last fetched.'),
  })
  .meta({
    title: 'RegistrationToken',
    description: 'A token that the registration command contains instead of a password.',
  })

const REVOKED = z.object({ results: z.array(TOKEN).meta({ description: 'Tokens that were revoked.' }) })

const PAGE = buildUnsearchedPageSchema(TOKEN, {
  total: 'All that the caller may list.',
  perPage: 'Records on a page.',
  order: 'The newest come first.',
  results: 'The tokens, the newest first.',
})

/**
 * Routes that list valid registration tokens, the newest first, and revoke them: by their user and by those who may
 * edit that user (content-api §5.1). Own tokens need no permission.
 */
export function registrationTokenRoutes(registry: Registry): Route[] {
  const { page, per_page } = listQuery
  const common = {
    group: 'registration_tokens',
    access: { kind: 'permission', anyOf: ['edit_users'], own: true },
  } as const
  return [
    ...['/api', '/api/users/:user_id'].flatMap((above): Route[] => {
      const named = above === '/api' ? 'registration_tokens' : 'users.registration_tokens'
      return [
        {
          ...common,
          method: 'GET',
          path: `${above}/registration_tokens`,
          id: `${named}.list`,
          summary: 'List registration tokens that can be used',
          query: z.object({ page, per_page }),
          answers: { 200: PAGE },
          handle: (ctx, input) => list(ctx, registry, input),
        },
        {
          ...common,
          method: 'DELETE',
          path: `${above}/registration_tokens/:id`,
          id: `${named}.delete`,
          summary: 'Revoke a registration token',
          answers: { 200: TOKEN },
          handle: (ctx, input) => revoke(ctx, registry, input),
        },
      ]
    }),
    {
      ...common,
      method: 'DELETE',
      path: '/api/registration_tokens',
      id: 'registration_tokens.delete_found',
      summary: 'Revoke all registration tokens of the users that a search finds',
      query: z.object({ search: z.string().meta({ description: 'Search that selects users.' }) }),
      answers: { 200: REVOKED },
      handle: (ctx, input) => revokeFound(ctx, registry, input),
    },
    {
      ...common,
      method: 'DELETE',
      path: '/api/users/:user_id/registration_tokens',
      id: 'users.registration_tokens.delete_all',
      summary: 'Revoke all registration tokens of a user',
      answers: { 200: REVOKED },
      handle: (ctx, input) => revokeAll(ctx, registry, input),
    },
  ]
}

async function list(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  for (const name of ['search', 'order'])
    if (readSingle(input.query, name))
      throw badParameter(name, readSingle(input.query, name), 'is not offered here: leave it out')
  const paging = readPaging(input.query, ctx.settings.entries_per_page)
  const seen = await limitToSeenTokens(ctx, registry, input)
  const found = await row<{ total: number; results: unknown[] }>(
    ctx.db,
    sql`select (select count(*)::integer from registration_tokens t where ${seen}) as total,
      coalesce((select json_agg(x) from (${selectTokens(ctx, seen)} order by t.id desc
        limit ${paging.perPage} offset ${offsetOf(paging)}) x), '[]') as results`,
  )
  return answerUnsearched(paging, found?.total ?? 0, found?.results ?? [])
}

async function revoke(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  const { id = '' } = input.params
  const named = /^\d{1,15}$/.test(id) ? sql`t.id = ${Number(id)}` : sql`false`
  const [revoked] = await remove(ctx, registry, sql`${await limitToSeenTokens(ctx, registry, input)} and ${named}`)
  if (!revoked) throw notFound('registration_token', id)
  return { status: 200, body: revoked }
}

async function revokeAll(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  return { status: 200, body: { results: await remove(ctx, registry, await limitToSeenTokens(ctx, registry, input)) } }
}

/** Revokes the tokens of the users that a search finds, among those that the caller may edit. {@throws Failure} bad_parameter */
async function revokeFound(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  const search = readChoice({ search: readSingle(input.query, 'search'), named: false, all: undefined })
  const found = await compileRequestSearch(ctx, findResource(registry, 'user'), search)
  const seen = await limitToSeenTokens(ctx, registry, input)
  const tokens = sql`${seen} and t.user_id in (select t.id from users t where ${joinConditions(found)})`
  return { status: 200, body: { results: await remove(ctx, registry, tokens) } }
}

function remove(ctx: Context, registry: Registry, tokens: Sql): Promise<readonly Ended[]> {
  return inTransaction(ctx, async (tx) => {
    const found = await rows<Ended>(tx.db, sql`${selectTokens(tx, tokens)} order by t.id for update of t`)
    await endTokens(tx, registry, found)
    return found
  })
}

/**
 * Selects the tokens `t` that the caller may list and revoke. {@throws Failure} not_found for a user that the caller
 * may not edit
 */
async function limitToSeenTokens(ctx: Context, registry: Registry, { params }: Input): Promise<Sql> {
  const users = findResource(registry, 'user')
  const counting = sql`t.expires_at > now()`
  if (params.user_id === undefined) return sql`${counting} and t.user_id in (${selectEditableUsers(ctx, users)})`
  const found = await selectRecord(ctx.db, users, ['id'], params.user_id, [
    { sql: sql`t.id in (${selectEditableUsers(ctx, users)})`, tables: ['users'] },
  ])
  if (!found) throw notFound('user', params.user_id)
  return sql`${counting} and t.user_id = ${found.id}`
}

/** Selects the caller, unless a token with limits stands for them, and the users whom the caller may edit. */
function selectEditableUsers(ctx: Context, users: Resource): Sql {
  const own = sql`select ${ctx.user.id}::bigint where ${!ctx.user.limited}`
  if (!hasPermission(ctx, 'edit_users')) return own
  return sql`${own} union all select t.id from users t where ${joinConditions(limitToVisible(ctx, users, 'edit_users'))}`
}

function selectTokens(ctx: Context, tokens: Sql): Sql {
  const isNear = sql`(${ctx.user.admin} or t.user_id = ${ctx.user.id} or t.organization_id = any (${ctx.user.organizations}::bigint[]))`
  const selectNear = (column: string) =>
    sql`case when ${isNear} then ${sql.ref(`t.${column}`)} end as ${sql.ref(column)}`
  const time = (column: string) => selectMoment(sql.ref(`t.${column}`))
  return sql`
    select t.id, t.user_id, u.login as user_login, ${selectNear('organization_id')}, ${selectNear('location_id')},
      ${selectNear('hostgroup_id')}, case when ${isNear} then t.activation_keys else '{}' end as activation_keys, ${time('created_at')} as created_at,
      ${time('expires_at')} as expires_at, t.uses, ${time('last_used_at')} as last_used_at
    from registration_tokens t join users u on u.id = t.user_id where ${tokens}`
}
