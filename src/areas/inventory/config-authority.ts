import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** The proxies of a host or a group, as a request says them and as they are stored. */
interface Proxies {
  readonly config_proxy?: number | null | undefined
  readonly config_ca_proxy?: number | null | undefined
}

/**
 * Resolves the proxy of the certificate authority where none is named: the configuration proxy, if it signs certificates,
 * too. Nothing changes unless the request names one of the two.
 */
export async function resolveAuthority(ctx: Context, draft: Proxies, stored: Proxies): Promise<Proxies> {
  if (draft.config_proxy === undefined && draft.config_ca_proxy === undefined) return {}
  const proxy = draft.config_proxy === undefined ? stored.config_proxy : draft.config_proxy
  const authority = draft.config_ca_proxy === undefined ? stored.config_ca_proxy : draft.config_ca_proxy
  if ((proxy ?? null) === null || (authority ?? null) !== null) return {}
  const signing = await row(
    ctx.db,
    sql`select from smart_proxy_features l join features f on f.id = l.feature_id
      where l.smart_proxy_id = ${proxy} and f.name = 'Config CA'`,
  )
  return signing ? { config_ca_proxy: proxy } : {}
}
