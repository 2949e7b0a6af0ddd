import type { Context } from '../../context.ts'
import type { Sql } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { sql } from '../../sql.ts'
import { attachPools, type Needs } from './authority/entitlements.ts'
import { joinCollections } from './collections.ts'
import type { DecidedOverride, EffectiveRegistration } from './effective.ts'
import { type Pair, type RegistrationOwner, SUBSCRIPTION_ATTRIBUTES } from './key.ts'

/** The parts of a registration that can be applied alone. */
export const APPLIED = [
  'content_view_environments',
  'host_collections',
  'content_overrides',
  'subscriptions',
  ...SUBSCRIPTION_ATTRIBUTES,
] as const

/** A part of what keys give that can be applied by itself. */
export type AppliedField = (typeof APPLIED)[number]

/** The values to apply to a registered host. */
export interface Application {
  readonly owner: RegistrationOwner
  readonly effective: EffectiveRegistration
  readonly needs: Needs
  /** Default: all of them. */
  readonly fields?: readonly AppliedField[]
}

/**
 * Gives a host exactly what its keys grant (content-api §5.3), in the transaction of the caller, who has locked the
 * host. Every registration locks in the order pairs, collections, pools. {@throws Failure} unknown_reference without a
 * pair or for a full collection, malformed when no pool can be had
 */
export async function applyRegistration(tx: Context, host: number, application: Application): Promise<void> {
  const { owner, effective, needs, fields = APPLIED } = application
  const wants = (field: AppliedField) => fields.includes(field)
  if (wants('content_view_environments'))
    await storePairs(tx, host, requirePairs(effective.content_view_environments.value))
  if (wants('content_overrides')) await storeOverrides(tx, host, effective.content_overrides)
  if (wants('host_collections'))
    await joinCollections(
      tx,
      host,
      effective.host_collections.map(({ id }) => id),
    )
  if (wants('subscriptions')) await attachPools(tx, host, owner, effective, needs)
  await describe(tx, host, effective, wants)
}

/** Yields the pairs if there are any. {@throws Failure} unknown_reference (content-api §5.2) */
export function requirePairs(pairs: readonly Pair[]): readonly Pair[] {
  if (pairs.length > 0) return pairs
  const message = 'At least one activation key must have a lifecycle environment and content view assigned to it'
  throw new Failure('unknown_reference', message)
}

/** Replaces the pairs of a host by these, in this order. */
export async function storePairs(tx: Context, host: number, pairs: readonly Pair[]): Promise<void> {
  const wanted = selectRequestedPairs(pairs)
  const same = sql`w.position = e.position and w.view = e.content_view_id and w.environment = e.environment_id`
  await sql`
    delete from host_environments e
    where e.host_id = ${host} and not exists (select from ${wanted} where ${same})`.execute(tx.db)
  await sql`
    insert into host_environments (host_id, position, content_view_id, environment_id)
    select ${host}::bigint, w.position, w.view, w.environment from ${wanted}
    where not exists (select from host_environments e where e.host_id = ${host} and ${same})`.execute(tx.db)
}

/** Selects the pairs in order, as rows `w (position, view, environment)`. */
export function selectRequestedPairs(pairs: readonly Pair[]): Sql {
  const views = pairs.map(({ content_view }) => content_view.id)
  const environments = pairs.map(({ environment }) => environment.id)
  return sql`(
    select place::integer - 1 as position, view, environment
    from unnest(${views}::bigint[], ${environments}::bigint[]) with ordinality w (view, environment, place)) w`
}

/** Selects the overrides as rows `w (content_id, name, value)`. */
export function selectRequestedOverrides(overrides: readonly DecidedOverride[]): Sql {
  return sql`unnest(${overrides.map(({ content_id }) => content_id)}::bigint[],
    ${overrides.map(({ name }) => name)}::text[], ${overrides.map(({ value }) => value)}::text[]) w (content_id, name, value)`
}

async function storeOverrides(tx: Context, host: number, overrides: readonly DecidedOverride[]): Promise<void> {
  const wanted = selectRequestedOverrides(overrides)
  await sql`
    delete from host_content_overrides h where h.host_id = ${host} and not exists (
      select from ${wanted} where w.content_id = h.content_id and w.name = h.name)`.execute(tx.db)
  if (overrides.length === 0) return
  await sql`
    insert into host_content_overrides (host_id, content_id, name, value)
    select ${host}::bigint, w.content_id, w.name, w.value from ${wanted}
    on conflict (host_id, content_id, name) do update set value = excluded.value
      where host_content_overrides.value <> excluded.value`.execute(tx.db)
}

const DESCRIBED = ['service_level', 'release_version', 'purpose_usage', 'purpose_role'] as const

async function describe(
  tx: Context,
  host: number,
  effective: EffectiveRegistration,
  wants: (field: AppliedField) => boolean,
): Promise<void> {
  const texts = DESCRIBED.filter(wants).map((name) => sql`${sql.ref(name)} = ${effective[name].value}`)
  const addons = wants('purpose_addons') ? [sql`purpose_addons = ${[...effective.purpose_addons.value]}::text[]`] : []
  const set = [...texts, ...addons]
  if (set.length === 0) return
  await sql`update registrations set ${sql.join([...set, sql`updated_at = now()`])} where host_id = ${host}`.execute(
    tx.db,
  )
}
