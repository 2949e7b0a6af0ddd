import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  type Action,
  createRecord,
  limitToVisible,
  lock,
  type Resource,
  readAttributes,
  readBack,
  recordAudit,
  resolveParents,
  selectRecord,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { endSessionsOf } from '../identity/sessions.ts'
import { refuseImpersonation } from '../role/escalation.ts'
import { refuseAdministrators } from '../user/guard.ts'
import { refuseForOthers } from '../user/owned-records.ts'
import { digestRecoveryCode, findStep, formatOtpauthUrl, generateRecoveryCodes, generateSecret } from './codes.ts'
import { buildCreationOptions, readAttestation, readPasskeyHost } from './passkeys.ts'
import { readCode, readProof, requireProof, SECRET_PURPOSE, useTimeCode } from './proof.ts'

const CREATING = 'create_second_factors'
const DESTROYING = 'destroy_second_factors'
const ISSUER = 'Millwright'
const KIND = z
  .enum(['totp', 'passkey'], { error: 'must be totp or passkey' })
  .meta({ description: 'totp: codes by an application and the time; passkey: a key that a device holds.' })
const LONGEST_NAME = 100
const NAME = z
  .string()
  .nullable()
  .optional()
  .meta({ description: 'What its user calls it; required for a passkey.', maxLength: LONGEST_NAME })
const CODE = z.string().meta({ description: 'The present code of the application.' })
const PASSKEY = z.looseObject({}).meta({ description: 'What the browser answers for a passkey, as JSON.' })

/** Begins to set up a factor: it counts once a code, or the answer of the passkey, has confirmed it. */
export const enrol: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Begin to set up a second factor; its secret is shown only once',
  permissions: [CREATING],
  own: true,
  body: z.object({
    second_factor: z.object({ kind: KIND, name: NAME }).meta({ description: 'The factor to set up.' }),
  }),
  adds: {
    secret: z.string().optional().meta({ description: 'totp: what the application computes codes from, in base32.' }),
    otpauth_url: z.string().optional().meta({ description: 'totp: the same for a QR code.' }),
    options: z
      .looseObject({})
      .optional()
      .meta({ description: 'passkey: for navigator.credentials.create, as JSON; its time is five minutes.' }),
  },
  status: 201,
  handle: async (ctx, resource, input) => {
    const { user } = await findOwner(ctx, resource, input, CREATING)
    const { kind, name } = readAsked(readAttributes(resource, input.body))
    const host = kind === 'passkey' ? readPasskeyHost(ctx.origin) : null
    const owner = await row<{ login: string }>(ctx.db, sql`select login from users where id = ${user}`)
    if (!owner) throw notFound('user', user)
    const secret = generateSecret()
    return inTransaction(ctx, async (tx) => {
      await rows(tx.db, sql`delete from second_factors where user_id = ${user} and confirmed_at is null`)
      const sealed = tx.encryption.encrypt(secret, SECRET_PURPOSE)
      const id = await createRecord(tx, resource, { user, kind, name, host, secret: sealed })
      const begun =
        kind === 'totp'
          ? { secret, otpauth_url: formatOtpauthUrl(secret, owner.login, ISSUER) }
          : { options: await buildCreationOptions(tx, { user, login: owner.login, factor: id }) }
      return { status: 201, body: { ...(await readBack(tx, resource, id)), ...begun } }
    })
  },
}

/** Reads which factor to set up. {@throws Failure} invalid */
function readAsked(sent: Readonly<Record<string, unknown>>) {
  const kind = KIND.safeParse(sent.kind).data
  if (!kind) throw invalid({ kind: ['must be totp or passkey'] })
  const name = typeof sent.name === 'string' && sent.name.trim() !== '' ? sent.name.trim() : null
  if (kind === 'passkey' && name === null) throw invalid({ name: ["can't be blank"] })
  if (name !== null && ([...name].length > LONGEST_NAME || /\p{Cc}/u.test(name)))
    throw invalid({ name: [`must have at most ${LONGEST_NAME} characters, and none that cannot be printed`] })
  return { kind, name }
}

/** Confirms a factor. From then on logins by password need one, and other sessions of the user end. */
export const confirm: Action = {
  method: 'PUT',
  path: '/:id/confirm',
  name: 'confirm',
  summary: 'Confirm a second factor by a code or a passkey; recovery codes are shown only once',
  permissions: [CREATING],
  own: true,
  body: z.object({
    second_factor: z
      .object({ code: CODE.optional(), passkey: PASSKEY.optional() })
      .meta({ description: 'The proof: code for totp, passkey for passkey.' }),
  }),
  adds: {
    recovery_codes: z.array(z.string()).meta({
      description: 'Codes that count once each. They are shown only once; none for a passkey where the user has some.',
    }),
  },
  handle: confirmFactor,
}

async function confirmFactor(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { user, conditions } = await findOwner(ctx, resource, input, CREATING)
  const id = await findFactor(ctx, resource, input, [...limitToVisible(ctx, resource, CREATING, true), ...conditions])
  const sent = readAttributes(resource, input.body)
  const isPasskey = await row(ctx.db, sql`select from second_factors where id = ${id} and kind = 'passkey'`)
  const attested = isPasskey ? await requireAttestation(ctx, { user, factor: id }, sent.passkey) : null
  return inTransaction(ctx, async (tx) => {
    const stored = await lock(tx, resource, id)
    if (stored.confirmed_at !== null) throw invalid({ base: ['was confirmed already'] }, id)
    const secret = tx.encryption.decrypt(String(stored.secret), SECRET_PURPOSE)
    if (!attested) await requireFirstCode(tx, { id, secret, code: readCode(sent) ?? '' })
    const { credential = null, publicKey = null, signCount = 0 } = attested ?? {}
    await rows(
      tx.db,
      sql`update second_factors set confirmed_at = now(), updated_at = now(), credential = ${credential}, public_key = ${publicKey},
        sign_count = ${signCount} where id = ${id}`,
    )
    const hasCodes = attested !== null && (await hasRecoveryCodes(tx, user))
    const recovery_codes = hasCodes ? [] : generateRecoveryCodes()
    const digests = recovery_codes.map((one) => digestRecoveryCode(secret, one))
    await rows(
      tx.db,
      sql`insert into recovery_codes (second_factor_id, digest) select ${id}::bigint, unnest(${digests}::bytea[])`,
    )
    await endSessionsOf(tx.db, user, tx.origin.session)
    await recordAudit(tx, resource, 'update', { id, label: null }, { confirmed: [false, true] })
    return { status: 200, body: { ...(await readBack(tx, resource, id)), recovery_codes } }
  })
}

/** {@throws Failure} invalid */
async function requireAttestation(ctx: Context, owner: { user: number; factor: number }, sent: unknown) {
  const attested = await readAttestation(ctx, owner, sent)
  if (!('refusal' in attested)) return attested
  const { details, reason, error } = attested.refusal
  ctx.log.info({ user: owner.user, reason, ...(error !== undefined && { err: error }) }, 'passkey not set up')
  throw invalid({ passkey: [`is refused: ${details}`] }, owner.factor)
}

/** {@throws Failure} invalid */
async function requireFirstCode(tx: Context, { id, secret, code }: { id: number; secret: string; code: string }) {
  if ((await useTimeCode(tx.db, id, findStep(secret, code, tx.now()))) !== 'right')
    throw invalid({ code: ['is not the present code of the application; check the clock of the device'] }, id)
}

async function hasRecoveryCodes(tx: Context, user: number): Promise<boolean> {
  const found = await row(
    tx.db,
    sql`select from recovery_codes c join second_factors f on f.id = c.second_factor_id
      where f.user_id = ${user} and f.confirmed_at is not null and c.used_at is null limit 1`,
  )
  return found !== undefined
}

/** Removes a factor: one's own that counts by a proof, those of others by the permission. */
export const remove: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Remove a second factor; one of your own needs a code or a passkey',
  permissions: [DESTROYING],
  own: true,
  query: {
    code: CODE.optional().meta({ description: 'A code of your own factors, better sent in a JSON body.' }),
    passkey: PASSKEY.optional().meta({
      description: 'In place of a code, in a JSON body: what the browser answers to POST /api/session/passkey.',
    }),
  },
  handle: removeFactor,
}

async function removeFactor(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { user, conditions } = await findOwner(ctx, resource, input, DESTROYING)
  const id = await findFactor(ctx, resource, input, [...limitToVisible(ctx, resource, DESTROYING, true), ...conditions])
  const confirmed = await row(ctx.db, sql`select from second_factors where id = ${id} and confirmed_at is not null`)
  if (confirmed && user === ctx.user.id && ctx.origin.login !== null) {
    const proof = readProof(input.query)
    if (proof === null)
      throw invalid({ code: ["can't be blank: a code of the application, or a recovery code; or a passkey"] }, id)
    await requireProof(ctx, user, proof)
  }
  return inTransaction(ctx, async (tx) => {
    const { kind, name, host } = await lock(tx, resource, id)
    const body = await readBack(tx, resource, id)
    await leaveRecoveryCodes(tx, id)
    await rows(tx.db, sql`delete from second_factors where id = ${id}`)
    await recordAudit(tx, resource, 'destroy', { id, label: null }, { user_id: user, kind, name, host })
    return { status: 200, body }
  })
}

/**
 * Leaves the recovery codes of a factor, and the secret that their digests are keyed with, to a passkey that stays and was
 * confirmed while there were these.
 */
async function leaveRecoveryCodes({ db }: Context, id: number): Promise<void> {
  await rows(
    db,
    sql`
      with heir as (
        update second_factors set secret = gone.secret from second_factors gone
        where gone.id = ${id} and second_factors.id = (
          select f.id from second_factors f
          where f.user_id = gone.user_id and f.id <> gone.id and f.kind = 'passkey' and f.confirmed_at is not null
            and not exists (select from recovery_codes c where c.second_factor_id = f.id)
          order by f.id limit 1)
        returning second_factors.id)
      update recovery_codes set second_factor_id = heir.id from heir where second_factor_id = ${id}`,
  )
}

/** Finds the user of the path, whose factors the caller may change. {@throws Failure} denied, invalid */
async function findOwner(ctx: Context, resource: Resource, input: Input, permission: string) {
  const { draft, conditions } = await resolveParents(ctx, resource, input)
  const user = Number(draft.user)
  refuseForOthers(ctx, user, permission)
  await refuseAdministrators(ctx, user)
  await refuseImpersonation(ctx, user)
  return { user, conditions }
}

type Conditions = Parameters<typeof selectRecord>[4]

async function findFactor(ctx: Context, resource: Resource, input: Input, conditions: Conditions): Promise<number> {
  const segment = readIdSegment(input)
  const found = await selectRecord(ctx.db, resource, ['id'], segment, conditions)
  if (!found) throw notFound(resource.name, segment)
  return Number(found.id)
}
