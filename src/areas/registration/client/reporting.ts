import { type Context, inTransaction } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import { isMembers } from '../../../lib/values.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { type Guest, readGuest, readGuests } from '../registration-request.ts'
import { type Consumer, presentConsumer } from './consumer.ts'
import type { Call } from './endpoint.ts'

/** Accepts reports about packages and repositories: only their time is stored. */
export async function acceptReport(ctx: Context, consumer: Consumer): Promise<Answer> {
  await noteTime(ctx, consumer)
  return { status: 200, body: {} }
}

/**
 * Accepts the packages of a Debian host, sent as a list, or in an object with or without a wrapper: only the time is
 * stored. {@throws Failure} malformed
 */
export async function acceptDebianPackages(ctx: Context, consumer: Consumer, { input, list }: Call): Promise<Answer> {
  const { deb_package_profile: wrapped } = input.body
  const sent = list ?? (isMembers(wrapped) ? wrapped : input.body).deb_packages
  if (!Array.isArray(sent)) throw new Failure('malformed', 'deb_packages must be a list of packages')
  return acceptReport(ctx, consumer)
}

/** Accepts the programs that a host should restart: only the time is stored. {@throws Failure} malformed */
export async function acceptTraces(ctx: Context, consumer: Consumer, { input }: Call): Promise<Answer> {
  const { traces } = input.body
  if (typeof traces !== 'object' || traces === null || Array.isArray(traces))
    throw new Failure('malformed', 'traces must be an object of programs by their names')
  await noteTime(ctx, consumer)
  return { status: 200, body: { displayMessage: 'Tracer profile uploaded successfully' } }
}

/** `PUT /rhsm/consumers/:uuid/checkin`: stores that the host was heard of. */
export async function checkIn(ctx: Context, consumer: Consumer): Promise<Answer> {
  await noteTime(ctx, consumer)
  return { status: 200, body: presentConsumer(consumer) }
}

async function noteTime(ctx: Context, { host }: Consumer): Promise<void> {
  await sql`update registrations set last_checkin = now() where host_id = ${host}`.execute(ctx.db)
}

/** Finds one guest of a hypervisor. {@throws Failure} not_found */
export function findGuest({ guest_ids: guests }: Consumer, { input }: Call): Guest {
  const { guest = '' } = input.params
  const found = guests.find(({ guestId }) => guestId === guest)
  if (!found) throw new Failure('not_found', `Couldn't find guest '${guest}'`)
  return found
}

/** `PUT /rhsm/consumers/:uuid/guestids`: replaces all guests. {@throws Failure} malformed */
export async function setGuests(ctx: Context, consumer: Consumer, { input, list }: Call): Promise<Answer> {
  return storeGuests(ctx, consumer, () => readGuests(list ?? input.body.guestIds))
}

/** Adds a guest, or replaces its attributes. {@throws Failure} malformed */
export async function setGuest(ctx: Context, consumer: Consumer, { input }: Call): Promise<Answer> {
  const guest = readGuest({ ...input.body, guestId: input.params.guest })
  return storeGuests(ctx, consumer, (before) => readGuests([...before, guest]))
}

/** Removes a guest. {@throws Failure} not_found */
export async function removeGuest(ctx: Context, consumer: Consumer, call: Call): Promise<Answer> {
  const { guestId: gone } = findGuest(consumer, call)
  return storeGuests(ctx, consumer, (before) => before.filter(({ guestId }) => guestId !== gone))
}

/** Stores the guests, in the locked registration, so that concurrent reports follow each other. */
async function storeGuests(
  ctx: Context,
  { host }: Consumer,
  change: (before: readonly Guest[]) => readonly Guest[],
): Promise<Answer> {
  await inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ guest_ids: readonly Guest[] }>`
      select guest_ids from registrations where host_id = ${host} for no key update`.execute(tx.db)
    const guests = change(rows[0]?.guest_ids ?? [])
    await sql`update registrations set guest_ids = ${JSON.stringify(guests)}::jsonb, last_checkin = now(), updated_at = now()
      where host_id = ${host}`.execute(tx.db)
  })
  return { status: 204 }
}
