import { sql } from 'kysely'
import { type Context, inTransaction } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import type { Answer } from '../../kernel/route.ts'
import { readTold } from '../asked.ts'
import { isOffered } from '../effective.ts'
import type { HostRecords } from '../hosts.ts'
import { ownerWithId } from '../keys.ts'
import { overridesOf, readOverrides, removeOverrides, setOverrides } from '../overrides.ts'
import { identityFor } from '../register.ts'
import { keyRequestedIn } from '../signing-request.ts'
import { unregister } from '../unregister.ts'
import { type Consumer, consumerBody, findConsumer } from './consumer.ts'
import type { Call } from './endpoint.ts'

/** `PUT /rhsm/consumers/:uuid`: what changed on the host. Only what is sent changes. */
export async function changeConsumer(
  ctx: Context,
  hosts: HostRecords,
  { input }: Call,
  { host, owner }: Consumer,
): Promise<Answer> {
  const { facts, installedProducts, wanted, autoheal } = readTold(input.body)
  const level = wanted.service_level
  if (level && !isOffered((await ownerWithId(ctx.db, owner.id)).service_levels, level)) throw unavailable(level, owner)
  const hostFacts = facts && hosts.readFacts(facts)
  const { purpose_addons: addons, ...texts } = wanted
  const set = [
    ...Object.entries(texts).flatMap(([name, value]) =>
      value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`],
    ),
    ...(addons ? [sql`purpose_addons = ${[...addons]}::text[]`] : []),
    ...(facts ? [sql`facts = ${JSON.stringify(facts)}::jsonb`] : []),
    ...(installedProducts ? [sql`installed_products = ${JSON.stringify(installedProducts)}::jsonb`] : []),
    ...(autoheal === undefined ? [] : [sql`autoheal = ${autoheal}`]),
    ...[sql`last_checkin = now()`, sql`updated_at = now()`],
  ]
  await inTransaction(ctx, async (tx) => {
    if (hostFacts) await hosts.storeFacts(tx, host, hostFacts)
    await sql`update registrations set ${sql.join(set)} where host_id = ${host}`.execute(tx.db)
  })
  return { status: 200, body: { content: 'Facts successfully updated.' } }
}

/** The refusal of a service level that no pool of the organization offers (content-api §2.9). */
export function unavailable(level: string, { label }: { readonly label: string }): Failure {
  return new Failure('malformed', `Service level "${level}" is not available to units of organization ${label}.`)
}

/** `POST /rhsm/consumers/:uuid`: a new certificate under the same name; the one before it counts no longer. */
export async function renewIdentity(
  ctx: Context,
  hosts: HostRecords,
  { input }: Call,
  { host, uuid, name, owner, serial: before }: Consumer,
): Promise<Answer> {
  const asked = { hostName: name, key: keyRequestedIn(input.body) }
  const { serial, certificate, expiresAt, privateKey } = await identityFor(ctx, { owner, asked }, uuid)
  await inTransaction(ctx, async (tx) => {
    const renewed = await row(
      tx.db,
      sql`
        update registrations set serial = ${serial}, certificate = ${certificate}, expires_at = ${expiresAt}, updated_at = now()
        where host_id = ${host} and uuid = ${uuid}::uuid returning host_id`,
    )
    // Whoever has the key of the certificate is the host from now on.
    if (renewed) await hosts.audit(tx, host, { identity_certificate: [before, serial] })
  })
  const consumer = await findConsumer(ctx, uuid)
  if (!consumer) throw new Failure('not_found', `Couldn't find consumer '${uuid}'`)
  return { status: 200, body: consumerBody(consumer, privateKey) }
}

/** `DELETE /rhsm/consumers/:uuid`. */
export async function leave(ctx: Context, hosts: HostRecords, { host }: Consumer): Promise<Answer> {
  await inTransaction(ctx, (tx) => unregister(tx, hosts, host))
  return { status: 204 }
}

/** `PUT` and `DELETE /rhsm/consumers/:uuid/content_overrides`: answers with all that are there then. */
export async function changeOverrides(
  ctx: Context,
  hosts: HostRecords,
  { list }: Call,
  { host, owner }: Consumer,
  method: 'PUT' | 'DELETE',
): Promise<Answer> {
  if (method === 'PUT' && list === null)
    throw new Failure('malformed', 'The body must be a list of overrides: [{"contentLabel": …, "name": …, "value": …}]')
  const asked = method === 'PUT' ? readOverrides(list ?? []) : []
  const body = await inTransaction(ctx, async (tx) => {
    await sql`select from hosts where id = ${host} for no key update`.execute(tx.db)
    const before = await overridesOf(tx, host)
    if (method === 'PUT') await setOverrides(tx, host, owner, asked)
    else await removeOverrides(tx, host, list ?? [])
    const after = await overridesOf(tx, host)
    if (JSON.stringify(before) === JSON.stringify(after)) return after
    await sql`update registrations set updated_at = now() where host_id = ${host}`.execute(tx.db)
    await hosts.audit(tx, host, { content_overrides: [before, after] })
    return after
  })
  return { status: 200, body }
}

/** Reports about packages and repositories are taken note of by their time alone. */
export async function noted(ctx: Context, { host }: Consumer): Promise<Answer> {
  await sql`update registrations set last_checkin = now() where host_id = ${host}`.execute(ctx.db)
  return { status: 200, body: {} }
}
