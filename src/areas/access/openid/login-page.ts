import { type Db, rows } from '../../../database/sql.ts'
import { OpenIdError } from '../../../openid/errors.ts'
import { sql } from '../../../sql.ts'
import { buildOwnAddress } from './addresses.ts'
import type { LoginContext } from './browser-login.ts'
import { loadSessionAtProvider } from './sessions.ts'
import { loadProvider } from './sources.ts'

/** A provider as the login page shows it. */
export interface LoginProvider {
  readonly id: number
  readonly name: string
}

/** Lists the providers that the login page offers. */
export function listLoginProviders(db: Db): Promise<LoginProvider[]> {
  return rows<LoginProvider>(db, sql`select id, name from auth_sources where type = 'AuthSourceOidc' order by name`)
}

/**
 * Builds the address where a browser ends its session at the provider, too; null for other sessions, and where the provider has no
 * such page or is down: the session here ends in any case.
 */
export async function buildLogoutUrl(ctx: LoginContext, cookie: string): Promise<string | null> {
  const session = await loadSessionAtProvider(ctx.db, ctx.encryption, cookie)
  const source = session && (await loadProvider(ctx.db, ctx.encryption, session.source))
  if (!session || !source) return null
  try {
    const url = await ctx.openid.endAt(source.settings, {
      post_logout_redirect_uri: `${buildOwnAddress(ctx.origin)}/`,
      ...(session.idToken !== null && { id_token_hint: session.idToken }),
    })
    return url?.href ?? null
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error
    ctx.log.warn({ source: session.source, reason: error.code, detail: error.message }, 'logout at a provider failed')
    return null
  }
}
