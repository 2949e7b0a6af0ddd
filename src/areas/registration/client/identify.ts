import { createHash, timingSafeEqual, X509Certificate } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { limitToVisible } from '../../../kernel/index.ts'
import type { Answer } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { isSignedByFormer } from '../authority/former.ts'
import { continueRegistration } from '../former.ts'
import type { HostRecords } from '../hosts.ts'
import { asMachineOf } from '../machine.ts'
import { type Consumer, loadConsumer } from './consumer.ts'
import type { Call } from './endpoint.ts'

/** The form of identities. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Executes work for the host in the path, if it asks itself with its present certificate, or a user with the permission
 * does: for a host in the context of its organization. A host that was deleted gets 410, and then drops its identity (content-api §5.4). {@throws Failure} not_found,
 * unauthenticated
 */
export async function withConsumer(
  ctx: Context,
  records: HostRecords,
  call: Call,
  permission: string,
  work: (consumer: Consumer, ctx: Context) => Promise<Answer>,
  renews = false,
): Promise<Answer> {
  const { uuid = '' } = call.input.params
  if (call.certificate && readCommonName(call.certificate) !== uuid.toLowerCase()) return DENIED
  const conditions = call.certificate ? [] : limitToVisible(ctx, records.resource, permission)
  const consumer = UUID.test(uuid)
    ? ((await loadConsumer(ctx, uuid, conditions)) ?? (await continueConsumer(ctx, records, call.certificate)))
    : undefined
  if (!consumer) return UUID.test(uuid) && (await isGone(ctx, uuid)) ? answerGone(uuid) : throwUnknown(uuid)
  if (call.certificate) {
    requireCurrent(call.certificate, consumer, renews)
    if (!consumer.fresh) await noteCheckin(ctx, consumer)
  }
  return work(consumer, asMachineOf(ctx, consumer.owner))
}

/** Finds the host of a certificate. {@throws Failure} unauthenticated, also when the host is gone */
export async function findConsumerByCertificate(
  ctx: Context,
  records: HostRecords,
  certificate: X509Certificate,
): Promise<Consumer> {
  const uuid = readCommonName(certificate)
  const consumer =
    uuid !== null && UUID.test(uuid)
      ? ((await loadConsumer(ctx, uuid)) ?? (await continueConsumer(ctx, records, certificate)))
      : undefined
  if (!consumer) throw new Failure('unauthenticated', 'The host with this certificate is not registered')
  requireCurrent(certificate, consumer)
  return consumer
}

/** Loads a host that was registered with another server, at its first request here with the certificate from there. */
async function continueConsumer(
  ctx: Context,
  records: HostRecords,
  certificate: X509Certificate | null,
): Promise<Consumer | undefined> {
  const uuid = certificate && readCommonName(certificate)
  if (!uuid || !(await isSignedByFormer(ctx.db, certificate))) return undefined
  await continueRegistration(ctx, records, uuid, certificate)
  return loadConsumer(ctx, uuid)
}

/** The 403 for hosts that request data of other hosts (content-api §6). */
export const DENIED: Answer = { status: 403, body: { displayMessage: 'Access denied', errors: ['Access denied'] } }

/**
 * Requires the newest certificate of the host, or for a short time the one before: a client that has renewed its
 * identity continues on its connection. The old one cannot renew again, so that nobody can keep it alive.
 */
function requireCurrent(certificate: X509Certificate, consumer: Consumer, renews = false): void {
  const isKnown = (pem: string | null) =>
    pem !== null && timingSafeEqual(computeDigest(new X509Certificate(pem).raw), computeDigest(certificate.raw))
  if (consumer.expired || !(isKnown(consumer.certificate) || (!renews && isKnown(consumer.former))))
    throw new Failure('unauthenticated', 'This certificate is not, or no longer, the one of the host')
}

function computeDigest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function readCommonName({ subject }: X509Certificate): string | null {
  const names = subject.split('\n').flatMap((part) => /^CN=(.+)$/.exec(part)?.[1] ?? [])
  return names.length === 1 ? (names[0]?.toLowerCase() ?? null) : null
}

async function isGone(ctx: Context, uuid: string): Promise<boolean> {
  return (await row(ctx.db, sql`select from gone_registrations where uuid = ${uuid}::uuid`)) !== undefined
}

function answerGone(uuid: string): Answer {
  const message = `Unit ${uuid} has been deleted`
  return { status: 410, body: { displayMessage: message, errors: [message], deletedId: uuid } }
}

function throwUnknown(uuid: string): never {
  throw new Failure('not_found', `Couldn't find consumer '${uuid}'`)
}

async function noteCheckin(ctx: Context, { host }: Consumer): Promise<void> {
  await sql`update registrations set last_checkin = now() where host_id = ${host}`.execute(ctx.db)
}
