import type { Context } from '../../../context.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import { type Draft, type Stored, TAXONOMIES, type WriteWrapper } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { keepActing } from './acting.ts'
import type { SmartProxyFields } from './fields.ts'

/**
 * Protects where smart proxies act: for the hosts of their organizations and locations, with the certificate for the
 * host name of their URL (docs/decisions/0017-machines.md). Without places a proxy acts for all hosts, which only
 * administrators may set. A changed URL gives another machine everything that the proxy reaches.
 */
export const proxyWrites: WriteWrapper<SmartProxyFields> = {
  create: (ctx, draft, next) => {
    refuseBeyond(ctx, draft, null)
    return next({ ...draft, ...withUnlimited(ctx, draft, null) })
  },
  update: async (ctx, stored, draft, next) => {
    refuseBeyond(ctx, draft, stored)
    const [moved] = TAXONOMIES.filter(({ plural }) => draft[plural] !== undefined)
    const write = () => next({ ...draft, ...withUnlimited(ctx, draft, stored) })
    if (!moved) return write()
    const concerned = { proxies: sql`select ${stored.id}::bigint`, field: `${moved.kind}_ids`, id: stored.id }
    await keepActing(ctx, concerned, write)
  },
}

const ANY = { organization: 'any_organization', location: 'any_location' } as const

/** Marks the taxonomies that do not limit the proxy: those that an administrator leaves empty. */
function withUnlimited(
  ctx: Context,
  draft: Draft<SmartProxyFields>,
  stored: Stored<SmartProxyFields> | null,
): Draft<SmartProxyFields> {
  const kinds = TAXONOMIES.filter(({ plural }) => draft[plural] !== undefined)
  return Object.fromEntries(
    kinds.map((taxonomy) => {
      const name = ANY[taxonomy.kind]
      return [name, !draft[taxonomy.plural]?.length && (ctx.user.admin || stored?.[name] === true)]
    }),
  )
}

/**
 * Refuses that a proxy acts, or another machine acts as the proxy, beyond the caller's places. {@throws Failure}
 * invalid
 */
function refuseBeyond(ctx: Context, draft: Draft<SmartProxyFields>, stored: Stored<SmartProxyFields> | null): void {
  if (ctx.user.admin) return
  const isOther = stored !== null && draft.url !== undefined && hostOf(draft.url) !== hostOf(stored.url)
  const errors: FieldErrors = {}
  for (const taxonomy of TAXONOMIES) {
    const before = stored ? stored[taxonomy.plural] : null
    const after = draft[taxonomy.plural] === undefined ? (before ?? []) : (draft[taxonomy.plural] ?? [])
    const key = `${taxonomy.kind}_ids`
    if (stored === null && after.some((id) => !ctx.user[taxonomy.plural].includes(id)))
      errors[key] = ['must be among your own: a smart proxy acts for the hosts there']
    if (after.length === 0 && (before === null || before.length > 0))
      errors[key] = [
        `must name at least one: only administrators let a smart proxy act for the hosts of all ${taxonomy.plural}`,
      ]
    const isBeyond = after.length === 0 || after.some((id) => !ctx.user[taxonomy.plural].includes(id))
    if (isOther && isBeyond)
      errors.url = [
        'may name another host only for those who belong to all organizations and locations of the smart proxy: whoever has the certificate of that host acts for theirs',
      ]
  }
  refuseInvalid(errors, stored?.id ?? null)
}

function hostOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).hostname : String(url)
}
