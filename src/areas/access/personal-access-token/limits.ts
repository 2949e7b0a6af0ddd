import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { type Db, rows } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import { type ReadableKey, type Resource, type Row, readAttributes } from '../../../kernel/index.ts'
import { isNetwork } from '../../../lib/networks.ts'
import type { Input } from '../../../requests/route.ts'
import { type Sql, sql } from '../../../sql.ts'

const MOST = 1000

const describe = (description: string) => ({ description: `${description}; null or missing: no limit.` })
const ids = (description: string) => z.array(z.int()).nullable().meta(describe(description)).optional()
const texts = (description: string) => z.array(z.string()).nullable().meta(describe(description)).optional()

/** The keys of a new token that limit it. */
export const LIMITS = {
  permissions: texts('Names of the only permissions that it has, as far as its user has them'),
  organization_ids: ids('The only organizations that it reaches, with all below them'),
  location_ids: ids('The only locations that it reaches, with all below them'),
  allowed_addresses: texts('The only addresses and networks that it may be used from, such as 10.0.0.0/8'),
}

type Limits = z.infer<z.ZodObject<typeof LIMITS>>

/** Reads and checks the limits of a new token; null for none. {@throws Failure} invalid */
export async function readLimits(ctx: Context, resource: Resource, body: Input['body']): Promise<Limits | null> {
  const sent = readAttributes(resource, body)
  const errors: FieldErrors = {}
  const limits: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(LIMITS)) {
    const parsed = schema.safeParse(sent[key])
    const isEmpty = parsed.success && parsed.data?.length === 0
    const isLong = parsed.success && (parsed.data?.length ?? 0) > MOST
    if (!parsed.success) errors[key] = [key.endsWith('_ids') ? 'must be a list of ids' : 'must be a list of texts']
    else if (isEmpty) errors[key] = ["can't be empty: leave it out for no limit"]
    else if (isLong) errors[key] = [`must have at most ${MOST} entries`]
    else limits[key] = parsed.data ?? null
  }
  refuseInvalid(errors)
  const read: Limits = limits
  refuseInvalid({
    ...(await findUnknown(ctx, read)),
    ...listBadAddresses(read.allowed_addresses ?? []),
  })
  return Object.values(read).every((value) => value == null) ? null : read
}

async function findUnknown(ctx: Context, { permissions, organization_ids, location_ids }: Limits) {
  const errors: FieldErrors = {}
  const known = await rows<{ name: string }>(
    ctx.db,
    sql`select name from permissions where name = any (${permissions ?? []}::text[])`,
  )
  const names = new Set(known.map(({ name }) => name))
  const unknown = (permissions ?? []).filter((name) => !names.has(name))
  if (unknown.length > 0) errors.permissions = [`must be names of permissions, such as view_hosts: ${unknown[0]}`]
  for (const [key, plural, wanted] of [
    ['organization_ids', 'organizations', organization_ids ?? []],
    ['location_ids', 'locations', location_ids ?? []],
  ] as const) {
    const found = await rows<{ id: number }>(
      ctx.db,
      sql`select id from ${sql.table(plural)} t where id = any (${wanted}::bigint[])
        and (${ctx.user.admin} or id = any (${ctx.user[plural]}::bigint[]))`,
    )
    if (found.length < new Set(wanted).size) errors[key] = [`must be ids of ${plural} that you belong to`]
  }
  return errors
}

function listBadAddresses(addresses: readonly string[]): FieldErrors {
  const bad = addresses.find((address) => !isNetwork(address))
  if (bad === undefined) return {}
  return { allowed_addresses: [`must be addresses and networks, such as 192.0.2.7 or 2001:db8::/32: ${bad}`] }
}

/** Stores the limits of a token. */
export async function storeLimits(db: Db, id: number, limits: Limits): Promise<void> {
  const { permissions = null, organization_ids = null, location_ids = null, allowed_addresses = null } = limits
  await rows(
    db,
    sql`insert into token_limits (personal_access_token_id, permissions, organization_ids, location_ids, allowed_addresses)
      values (${id}, ${permissions}::text[], ${organization_ids}::bigint[], ${location_ids}::bigint[],
        ${allowed_addresses}::text[]::inet[])`,
  )
}

/** The keys of answers with the limits of a token. */
export const SHOWN_LIMITS: Readonly<Record<keyof typeof LIMITS, ReadableKey>> = {
  permissions: showLimit('permissions', sql`to_jsonb(l.permissions)`),
  organization_ids: showLimit('organization_ids', sql`to_jsonb(l.organization_ids)`),
  location_ids: showLimit('location_ids', sql`to_jsonb(l.location_ids)`),
  allowed_addresses: showLimit('allowed_addresses', sql`to_jsonb(l.allowed_addresses::text[])`),
}

/** Leaves of the limits only organizations and locations that the reader belongs to. */
export function hideUnreachablePlaces(ctx: Context, tokens: readonly Row[]): readonly Row[] {
  if (ctx.user.admin) return tokens
  const hideOthers = (ids: unknown, own: readonly number[]) =>
    Array.isArray(ids) ? ids.filter((id) => own.includes(id)) : ids
  return tokens.map((token) => ({
    ...token,
    organization_ids: hideOthers(token.organization_ids, ctx.user.organizations),
    location_ids: hideOthers(token.location_ids, ctx.user.locations),
  }))
}

function showLimit(key: keyof typeof LIMITS, value: Sql): ReadableKey {
  return {
    schema: () => LIMITS[key].unwrap(),
    sql: (alias) =>
      sql`(select ${value} from token_limits l where l.personal_access_token_id = ${sql.ref(`${alias}.id`)})`,
  }
}
