import { type Context, hasPermission } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import type { Answer } from '../../../requests/route.ts'
import type { TokenHolder } from '../tokens.ts'

/** Facts that the script needs about the service. */
export interface Served {
  readonly token: string
  readonly holder: TokenHolder
  /** PEM certificates of the service; null without TLS. */
  readonly certificates: string | null
}

/** The options that become values of the host. */
export const OF_HOST = ['location_id', 'hostgroup_id', 'operatingsystem_id', 'lifecycle_environment_id'] as const

/** Requires that the user of the token has the permission `register_hosts` at present. {@throws Failure} denied */
export function requirePermission(ctx: Context): void {
  if (!hasPermission(ctx, 'register_hosts'))
    throw new Failure('denied', 'The user of this command may not register hosts', {
      missingPermissions: ['register_hosts'],
    })
}

/** Answers with a text for a shell, which nobody may cache. */
export function answerScript(body: string): Answer {
  return { status: 200, body, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } }
}
