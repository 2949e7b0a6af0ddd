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
import { readCode, requireCode, SECRET_PURPOSE, useTimeCode } from './proof.ts'

const CREATING = 'create_second_factors'
const DESTROYING = 'destroy_second_factors'
const ISSUER = 'Millwright'
const TOTP = z.literal('totp').meta({ description: 'totp: codes by an application and the time.' })
const CODE = z.string().meta({ description: 'The present code of the application.' })

/** Begins to set up a factor: it counts once a code has confirmed it. */
export const enrol: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Begin to set up a second factor; its secret is shown only once',
  permissions: [CREATING],
  own: true,
  body: z.object({
    second_factor: z.object({ kind: TOTP }).meta({ description: 'The factor to set up.' }),
  }),
  adds: {
    secret: z.string().meta({ description: 'What the application computes codes from, in base32.' }),
    otpauth_url: z.string().meta({ description: 'The same for a QR code.' }),
  },
  status: 201,
  handle: async (ctx, resource, input) => {
    const { user } = await findOwner(ctx, resource, input, CREATING)
    if (!TOTP.safeParse(readAttributes(resource, input.body).kind).success) throw invalid({ kind: ['must be totp'] })
    const owner = await row<{ login: string }>(ctx.db, sql`select login from users where id = ${user}`)
    if (!owner) throw notFound('user', user)
    const secret = generateSecret()
    return inTransaction(ctx, async (tx) => {
      await rows(tx.db, sql`delete from second_factors where user_id = ${user} and confirmed_at is null`)
      const sealed = tx.encryption.encrypt(secret, SECRET_PURPOSE)
      const id = await createRecord(tx, resource, { user, kind: 'totp', secret: sealed })
      const otpauth_url = formatOtpauthUrl(secret, owner.login, ISSUER)
      return { status: 201, body: { ...(await readBack(tx, resource, id)), secret, otpauth_url } }
    })
  },
}

/** Confirms a factor with a code. From then on logins by password need it, and other sessions of the user end. */
export const confirm: Action = {
  method: 'PUT',
  path: '/:id/confirm',
  name: 'confirm',
  summary: 'Confirm a second factor by a code; recovery codes are shown only once',
  permissions: [CREATING],
  own: true,
  body: z.object({ second_factor: z.object({ code: CODE }).meta({ description: 'The proof.' }) }),
  adds: {
    recovery_codes: z.array(z.string()).meta({ description: 'Codes that count once each. They are shown only once.' }),
  },
  handle: confirmFactor,
}

async function confirmFactor(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { user, conditions } = await findOwner(ctx, resource, input, CREATING)
  const id = await findFactor(ctx, resource, input, [...limitToVisible(ctx, resource, CREATING, true), ...conditions])
  const code = readCode(readAttributes(resource, input.body)) ?? ''
  return inTransaction(ctx, async (tx) => {
    const stored = await lock(tx, resource, id)
    if (stored.confirmed_at !== null) throw invalid({ base: ['was confirmed already'] }, id)
    const secret = tx.encryption.decrypt(String(stored.secret), SECRET_PURPOSE)
    if ((await useTimeCode(tx.db, id, findStep(secret, code, tx.now()))) !== 'right')
      throw invalid({ code: ['is not the present code of the application; check the clock of the device'] }, id)
    await rows(tx.db, sql`update second_factors set confirmed_at = now(), updated_at = now() where id = ${id}`)
    const recovery_codes = generateRecoveryCodes()
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

/** Removes a factor: one's own that counts by a code of it, those of others by the permission. */
export const remove: Action = {
  method: 'DELETE',
  path: '/:id',
  name: 'delete',
  summary: 'Remove a second factor; one of your own needs a code',
  permissions: [DESTROYING],
  own: true,
  query: { code: CODE.optional().meta({ description: 'A code of your own factors, better sent in a JSON body.' }) },
  handle: removeFactor,
}

async function removeFactor(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { user, conditions } = await findOwner(ctx, resource, input, DESTROYING)
  const id = await findFactor(ctx, resource, input, [...limitToVisible(ctx, resource, DESTROYING, true), ...conditions])
  const confirmed = await row(ctx.db, sql`select from second_factors where id = ${id} and confirmed_at is not null`)
  if (confirmed && user === ctx.user.id && ctx.origin.login !== null) {
    const code = readCode(input.query)
    if (code === null) throw invalid({ code: ["can't be blank: a code of the application, or a recovery code"] }, id)
    await requireCode(ctx, user, code)
  }
  return inTransaction(ctx, async (tx) => {
    await lock(tx, resource, id)
    const body = await readBack(tx, resource, id)
    await rows(tx.db, sql`delete from second_factors where id = ${id}`)
    await recordAudit(tx, resource, 'destroy', { id, label: null }, { user_id: user, kind: 'totp' })
    return { status: 200, body }
  })
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
