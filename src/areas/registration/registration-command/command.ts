import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import type { Registry } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { errorsOf } from '../../../requests/by-schema.ts'
import type { Answer, Input, Route } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { formatFetchCommand } from '../authority/script.ts'
import { createRegistrationToken } from '../tokens.ts'
import { OPTIONS, type Options, readOptions, resolveKeyNames, resolveOrganization } from './options.ts'

const MOST_HOURS = 999_999
const HOURS = `must be a number of hours from 0 to ${MOST_HOURS}, or unlimited`

const EXPIRATION = z
  .preprocess(
    (sent) => (sent === 'unlimited' ? 0 : typeof sent === 'string' && /^\d{1,6}$/.test(sent) ? Number(sent) : sent),
    z.int(HOURS).min(0, HOURS).max(MOST_HOURS, HOURS).nullish(),
  )
  .meta({
    description: 'Hours for which the command can be used, 4 unless it says more; 0 or `unlimited`: without an end.',
  })

const USUAL_HOURS = 4

const BODY = z.object({ ...OPTIONS, jwt_expiration: EXPIRATION })

/**
 * `POST /api/registration_commands`: generates a command that registers hosts on behalf of the caller (content-api
 * §5.1).
 */
export function registrationCommandRoute(registry: Registry): Route {
  return {
    method: 'POST',
    path: '/api/registration_commands',
    id: 'registration_commands.create',
    group: 'registration_commands',
    summary: 'Make the command that registers hosts',
    access: { kind: 'permission', anyOf: ['register_hosts'], own: false, unlimited: true },
    body: z.object({ registration_command: BODY.optional().meta({ description: 'Hosts that the command is for.' }) }),
    refuses: 422,
    answers: {
      200: z.object({
        registration_command: z
          .string()
          .meta({ description: 'To be run by root on the host. Its token is shown once.' }),
      }),
    },
    handle: (ctx, input) => makeCommand(ctx, registry, input),
  }
}

async function makeCommand(ctx: Context, registry: Registry, input: Input): Promise<Answer> {
  const sent = readSent(input.body)
  const hours = EXPIRATION.safeParse(sent.jwt_expiration)
  if (!hours.success) throw invalid({ jwt_expiration: Object.values(errorsOf(hours.error)).flat() })
  const options = await readOptions(ctx, registry, sent)
  const keys = await resolveKeyNames(ctx, options)
  const { id } = await resolveOrganization(ctx, options)
  const token = await createRegistrationToken(ctx.db, {
    user: ctx.user.id,
    hours: hours.data ?? USUAL_HOURS,
    organization: id,
    location: options.location_id ?? null,
    hostgroup: options.hostgroup_id ?? null,
    keys,
  })
  const base = await resolveBaseUrl(ctx, input, options)
  const url = `${base}/register?${queryOf({ ...options, organization_id: id })}`
  return { status: 200, body: { registration_command: formatFetchCommand(url, token, options.insecure === true) } }
}

function readSent(body: Input['body']): Input['body'] {
  const wrapped = body.registration_command ?? null
  if (wrapped === null) return body
  if (!isMembers(wrapped)) throw badParameter('registration_command', wrapped, 'must be an object')
  return wrapped
}

/**
 * Resolves the URL of the service for hosts, without a slash at its end: that of the chosen proxy, of the setting
 * `server_url`, or of the request. {@throws Failure} bad_parameter when the request names no host
 */
export async function resolveBaseUrl(ctx: Context, input: Input, { smart_proxy_id }: Options): Promise<string> {
  if (typeof smart_proxy_id === 'number') {
    const found = await row<{ url: string }>(ctx.db, sql`select url from smart_proxies where id = ${smart_proxy_id}`)
    if (found) return found.url.replace(/\/+$/, '')
  }
  if (ctx.settings.server_url !== '') return ctx.settings.server_url.replace(/\/+$/, '')
  const host = input.headers?.host
  const isName =
    typeof host === 'string' && /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/.test(host)
  if (!isName) throw badParameter('Host', host ?? '', 'must be the name of the service; or set server_url')
  return `${ctx.origin.secure ? 'https' : 'http'}://${host}${ctx.origin.base ?? ''}`
}

/** The sent options as a query string. */
function queryOf(options: Options): string {
  const entries = Object.entries(options).flatMap(([key, value]): [string, string][] =>
    value === null || value === undefined
      ? []
      : [[key, Array.isArray(value) ? value.join(key === 'packages' ? ' ' : ',') : String(value)]],
  )
  return new URLSearchParams(entries).toString()
}
