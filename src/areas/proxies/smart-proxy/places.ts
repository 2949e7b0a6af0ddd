import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import type { Around } from '../../../kernel/definition.ts'
import type { Draft, Stored } from '../../../kernel/record.ts'
import { TAXONOMIES, type Taxonomy } from '../../../kernel/scope.ts'
import { readNumbers } from '../../../values.ts'
import { keepActing } from './acting.ts'

/**
 * A smart proxy acts for the hosts of its organizations and locations, as whoever is certified as the host in its URL
 * (docs/decisions/0017-machines.md). One without any acts for all; only administrators make or leave it so, and whoever
 * lets another machine be the proxy reaches everything that it acts for.
 */
export const proxyWrites: Around = {
  create: (ctx, draft, next) => {
    refuseBeyond(ctx, draft, null)
    return next({ ...draft, ...anywhere(ctx, draft, null) })
  },
  update: async (ctx, stored, draft, next) => {
    refuseBeyond(ctx, draft, stored)
    const [moved] = TAXONOMIES.filter(({ plural }) => draft[plural] !== undefined)
    const write = () => next({ ...draft, ...anywhere(ctx, draft, stored) })
    if (!moved) return write()
    const concerned = { proxies: sql`select ${stored.id}::bigint`, field: `${moved.kind}_ids`, id: stored.id }
    await keepActing(ctx, concerned, write)
  },
}

const ANY = { organization: 'any_organization', location: 'any_location' } as const

/** Which kinds do not limit the proxy from now on: those that an administrator has left blank. */
function anywhere(ctx: Context, draft: Draft, stored: Stored | null): Draft {
  const kinds = TAXONOMIES.filter(({ plural }) => draft[plural] !== undefined)
  return Object.fromEntries(
    kinds.map((taxonomy) => {
      const name = ANY[taxonomy.kind]
      return [name, named(taxonomy, draft).length === 0 && (ctx.user.admin || stored?.[name] === true)]
    }),
  )
}

/** {@throws Failure} invalid where the proxy would act, or another machine as the proxy, beyond what the caller reaches */
function refuseBeyond(ctx: Context, draft: Draft, stored: Stored | null): void {
  if (ctx.user.admin) return
  const isOther = stored !== null && draft.url !== undefined && hostOf(draft.url) !== hostOf(stored.url)
  const errors: FieldErrors = {}
  for (const taxonomy of TAXONOMIES) {
    const before = stored ? named(taxonomy, stored) : null
    const after = draft[taxonomy.plural] === undefined ? (before ?? []) : named(taxonomy, draft)
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
  if (Object.keys(errors).length > 0) throw invalid(errors, stored?.id ?? null)
}

function named({ plural }: Taxonomy, values: Readonly<Record<string, unknown>>): readonly number[] {
  return readNumbers(values, plural) ?? []
}

function hostOf(url: unknown): string {
  return URL.canParse(String(url)) ? new URL(String(url)).hostname : String(url)
}
