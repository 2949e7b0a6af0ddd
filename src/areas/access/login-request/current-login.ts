import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Row } from '../../../kernel/index.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { readAuthorization } from '../identity/login.ts'
import { digestSecret } from '../identity/secrets.ts'
import { hideUnreachablePlaces, LIMITS } from '../personal-access-token/limits.ts'

const describe = (description: string) => ({ description })

/** How the caller is logged in. */
export const CURRENT_LOGIN = z.object({
  id: z.int().meta(describe('Id of the caller.')),
  login: z.string().meta(describe('Login of the caller.')),
  user_name: z.string().meta(describe('Name of the caller.')),
  method: z
    .enum(['password', 'token', 'session', 'delegated', 'provider'])
    .nullable()
    .meta(describe('How the caller is logged in; null for the owner of the data, and for machines.')),
  address: z.string().nullable().meta(describe('Address from which the request came.')),
  expires_at: z
    .string()
    .nullable()
    .meta(describe('When the login ends, if it is not used for a session; null: it does not.')),
  token_id: z.int().nullable().meta(describe('Id of the personal access token; null for other logins.')),
  token_name: z.string().nullable().meta(describe('Name of the personal access token.')),
  ...LIMITS,
})

/** Tells who the caller is, from where, until when, and with which limits. */
export async function showCurrentLogin(ctx: Context, header: unknown): Promise<z.infer<typeof CURRENT_LOGIN>> {
  const { id, login, name } = ctx.user
  const { login: method, address } = ctx.origin
  const token = method === 'token' ? await findToken(ctx, header) : undefined
  const none = { permissions: null, organization_ids: null, location_ids: null, allowed_addresses: null }
  return {
    id,
    login,
    user_name: name,
    method,
    address,
    expires_at: token ? token.expires_at : await findEndOfSession(ctx),
    token_id: token?.id ?? null,
    token_name: token?.name ?? null,
    ...(token ? pickLimits(ctx, token) : none),
  }
}

async function findEndOfSession({ db, origin, settings }: Context): Promise<string | null> {
  if (origin.session === null) return null
  const end = sql`now() + make_interval(mins => ${settings.idle_timeout}::integer)`
  const found = await row<{ end: string }>(db, sql`select ${selectMoment(end)} as end`)
  return found?.end ?? null
}

interface UsedToken extends Row {
  readonly id: number
  readonly name: string
  readonly expires_at: string | null
}

function findToken({ db }: Context, header: unknown): Promise<UsedToken | undefined> {
  const sent = readAuthorization(typeof header === 'string' ? header : undefined)
  const digest = digestSecret(sent?.kind === 'basic' ? sent.password : (sent?.token ?? ''))
  return row(
    db,
    sql`
      select t.id, t.name, ${selectMoment(sql`least(r.expires_at, t.expires_at)`)} as expires_at, l.permissions,
             l.organization_ids, l.location_ids, l.allowed_addresses::text[] as allowed_addresses
      from personal_access_tokens t
      left join replaced_tokens r on r.personal_access_token_id = t.id and r.token = ${digest}
      left join token_limits l on l.personal_access_token_id = t.id
      where t.token = ${digest} or r.token = ${digest}`,
  )
}

function pickLimits(ctx: Context, token: UsedToken) {
  const [shown] = hideUnreachablePlaces(ctx, [token])
  return z.object(LIMITS).parse(shown)
}
