import { type Context, inTransaction } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { storePairs } from '../apply.ts'
import { isOffered } from '../effective.ts'
import type { HostRecords } from '../hosts.ts'
import { createIdentity } from '../identity.ts'
import { findOwnerById } from '../keys.ts'
import { loadOverrides, readRequestedOverrides, removeOverrides, setOverrides } from '../overrides.ts'
import { readConsumerReport, readEnvironments, readRequestedKey } from '../registration-request.ts'
import { unregister } from '../unregister.ts'
import { type Consumer, loadConsumer, presentConsumer } from './consumer.ts'
import type { Call } from './endpoint.ts'
import { findPairs } from './pairs.ts'

/** `PUT /rhsm/consumers/:uuid`: changes what is sent of the attributes, facts, products, guests and pairs of a host. */
export async function changeConsumer(
  ctx: Context,
  hosts: HostRecords,
  { input }: Call,
  { host, owner, environments }: Consumer,
): Promise<Answer> {
  const { facts, installedProducts, requested: wanted, autoheal, guestIds } = readConsumerReport(input.body)
  const asked = readEnvironments(input.body)
  if (asked?.length === 0) throw new Failure('malformed', 'environments must name one environment at least')
  const pairs = asked && (await findPairs(ctx, hosts.resource, owner, asked))
  const level = wanted.service_level
  if (level && !isOffered((await findOwnerById(ctx.db, owner.id)).service_levels, level))
    throw unavailable(level, owner)
  const hostFacts = facts && hosts.readFacts(facts)
  const { purpose_addons: addons, ...texts } = wanted
  const set = [
    ...Object.entries(texts).flatMap(([name, value]) =>
      value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`],
    ),
    ...(addons ? [sql`purpose_addons = ${[...addons]}::text[]`] : []),
    ...(facts ? [sql`facts = ${JSON.stringify(facts)}::jsonb`] : []),
    ...(installedProducts ? [sql`installed_products = ${JSON.stringify(installedProducts)}::jsonb`] : []),
    ...(guestIds ? [sql`guest_ids = ${JSON.stringify(guestIds)}::jsonb`] : []),
    ...(autoheal === undefined ? [] : [sql`autoheal = ${autoheal}`]),
    sql`last_checkin = now()`,
    sql`updated_at = now()`,
  ]
  await inTransaction(ctx, async (tx) => {
    if (pairs) {
      await sql`select from hosts where id = ${host} for no key update`.execute(tx.db)
      await storePairs(tx, host, pairs)
      const [before, after] = [environments.map(({ name }) => name), pairs.map(({ label }) => label)]
      if (before.join() !== after.join()) await hosts.audit(tx, host, { content_view_environments: [before, after] })
    }
    if (hostFacts) await hosts.storeFacts(tx, host, hostFacts)
    await sql`update registrations set ${sql.join(set)} where host_id = ${host}`.execute(tx.db)
  })
  return { status: 200, body: { content: 'Facts successfully updated.' } }
}

/** The error for a service level that no pool of the organization offers (content-api §2.9). */
export function unavailable(level: string, { label }: { readonly label: string }): Failure {
  return new Failure('malformed', `Service level "${level}" is not available to units of organization ${label}.`)
}

/** How long the previous certificate stays valid for the connection over which a client renewed it. */
const FORMER_MINUTES = 5

/**
 * `POST /rhsm/consumers/:uuid`: issues a new certificate for the same UUID; the previous one stays valid for some
 * minutes.
 */
export async function renewIdentity(
  ctx: Context,
  hosts: HostRecords,
  { input }: Call,
  { host, uuid, name, owner, serial: before }: Consumer,
): Promise<Answer> {
  const asked = { hostName: name, key: await readRequestedKey(input.body) }
  const { serial, certificate, expiresAt, privateKey } = await createIdentity(ctx, { owner, asked }, uuid)
  await inTransaction(ctx, async (tx) => {
    const renewed = await row(
      tx.db,
      sql`
        update registrations set serial = ${serial}, certificate = ${certificate}, expires_at = ${expiresAt}, updated_at = now(),
          former_certificate = certificate, former_until = least(expires_at, now() + make_interval(mins => ${FORMER_MINUTES}))
        where host_id = ${host} and uuid = ${uuid}::uuid returning host_id`,
    )
    // The holder of the new certificate's key is the host from now on.
    if (renewed) await hosts.audit(tx, host, { identity_certificate: [before, serial] })
  })
  const consumer = await loadConsumer(ctx, uuid)
  if (!consumer) throw new Failure('not_found', `Couldn't find consumer '${uuid}'`)
  return { status: 200, body: presentConsumer(consumer, privateKey) }
}

/** `DELETE /rhsm/consumers/:uuid`: ends the registration. */
export async function unregisterConsumer(ctx: Context, hosts: HostRecords, { host }: Consumer): Promise<Answer> {
  await inTransaction(ctx, (tx) => unregister(tx, hosts, host))
  return { status: 204 }
}

/** `PUT` and `DELETE /rhsm/consumers/:uuid/content_overrides`: both answer all overrides of the host. */
export async function changeOverrides(
  ctx: Context,
  hosts: HostRecords,
  { list }: Call,
  { host, owner }: Consumer,
  method: 'PUT' | 'DELETE',
): Promise<Answer> {
  if (method === 'PUT' && list === null)
    throw new Failure('malformed', 'The body must be a list of overrides: [{"contentLabel": …, "name": …, "value": …}]')
  const asked = method === 'PUT' ? readRequestedOverrides(list ?? []) : []
  const body = await inTransaction(ctx, async (tx) => {
    await sql`select from hosts where id = ${host} for no key update`.execute(tx.db)
    const before = await loadOverrides(tx, host)
    if (method === 'PUT') await setOverrides(tx, host, owner, asked)
    else await removeOverrides(tx, host, list ?? [])
    const after = await loadOverrides(tx, host)
    if (JSON.stringify(before) === JSON.stringify(after)) return after
    await sql`update registrations set updated_at = now() where host_id = ${host}`.execute(tx.db)
    await hosts.audit(tx, host, { content_overrides: [before, after] })
    return after
  })
  return { status: 200, body }
}
