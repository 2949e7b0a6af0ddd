import type { Context } from '../../../context.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { decryptIfPossible, purposeOf } from '../../../encryption/encryption.ts'
import { Failure } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { countAttempt, forgetAttempts } from '../identity/attempts.ts'
import { digestSecret } from '../identity/secrets.ts'
import { recordLogin } from '../login-event/record.ts'
import { digestRecoveryCode, findStep, isTimeCode } from './codes.ts'
import { type Refusal, tryPasskey } from './passkeys.ts'

/** What the stored secrets of factors are encrypted for. */
export const SECRET_PURPOSE = purposeOf({ table: 'second_factors', column: 'secret' })

type Proving = Pick<Context, 'db' | 'encryption' | 'now' | 'log' | 'lockout' | 'origin'>

const COUNTED_IN = 'second_factor_failures'

/** What somebody proves: a code, or what a passkey has signed. */
type Proof = { readonly code: string } | { readonly passkey: unknown }

/** Reads a proof; null for none. */
export function readProof(sent: Readonly<Record<string, unknown>>): Proof | null {
  if (sent.passkey !== undefined && sent.passkey !== null) return { passkey: sent.passkey }
  const code = readCode(sent)
  return code === null ? null : { code }
}

/** Reads a code, without blanks; null for none. A number has lost the zeros at its beginning. */
export function readCode({ code }: Readonly<Record<string, unknown>>): string | null {
  if (typeof code === 'number') return String(code).padStart(6, '0')
  const text = typeof code === 'string' ? code.replaceAll(/\s/g, '') : ''
  return text === '' ? null : text.slice(0, LONGEST_CODE)
}

const LONGEST_CODE = 64

/**
 * Requires what a passkey of the user has signed, a code of one of their factors, or one of their recovery codes, that was
 * not used before. Wrong ones count for the address and for the account. {@throws Failure} unauthenticated, locked_out
 */
export async function requireProof(ctx: Proving, userId: number, proof: Proof): Promise<void> {
  await countAttempt(ctx.db, COUNTED_IN, userId)
  const refusal = await ('code' in proof ? tryCode(ctx, userId, proof.code) : tryPasskey(ctx, userId, proof.passkey))
  if (refusal === null) {
    await forgetAttempts(ctx.db, COUNTED_IN, userId)
    return
  }
  const { details, reason, error } = refusal
  const { address } = ctx.origin
  ctx.log.info({ user: userId, address, reason, ...(error !== undefined && { err: error }) }, 'second factor refused')
  await recordLogin(ctx.db, { user: userId, outcome: 'refused', method: 'factor', reason, address })
  await ctx.lockout.fail(address)
  throw new Failure('unauthenticated', 'The second factor was refused', { details })
}

const SENTENCES = {
  wrong: 'This code is wrong. Check the clock of your device, or use a recovery code.',
  replayed: 'This code was used already. Wait for the next one.',
  'used recovery code': 'This recovery code was used already. Each counts once.',
}

/** The reasons in the log and in the history of logins. */
const REASONS: Readonly<Record<keyof typeof SENTENCES, string>> = {
  wrong: 'a wrong code',
  replayed: 'a code of a time that was used already',
  'used recovery code': 'a recovery code that was used already',
}

type Outcome = 'right' | keyof typeof SENTENCES

async function tryCode(ctx: Proving, userId: number, code: string): Promise<Refusal | null> {
  const outcome = await findOutcome(ctx, userId, code)
  return outcome === 'right' ? null : { details: SENTENCES[outcome], reason: REASONS[outcome] }
}

async function findOutcome({ db, encryption, now }: Proving, userId: number, code: string): Promise<Outcome> {
  const factors = await rows<{ id: number; kind: string; secret: string }>(
    db,
    sql`select id, kind, secret from second_factors where user_id = ${userId} and confirmed_at is not null order by id`,
  )
  let outcome: Outcome = 'wrong'
  for (const { id, kind, secret: sealed } of factors) {
    const secret = decryptIfPossible(encryption, sealed, SECRET_PURPOSE)
    // The secret of a passkey is for its recovery codes only.
    if (secret === null || (isTimeCode(code) && kind !== 'totp')) continue
    const tried = isTimeCode(code)
      ? await useTimeCode(db, id, findStep(secret, code, now()))
      : await useRecoveryCode(db, id, digestRecoveryCode(secret, code))
    if (tried === 'right') return tried
    if (tried !== 'wrong') outcome = tried
  }
  return outcome
}

/** Accepts a code of a period after the last accepted one only. */
export async function useTimeCode(db: Db, id: number, step: number | null): Promise<Outcome> {
  if (step === null) return 'wrong'
  const used = await row(
    db,
    sql`update second_factors set last_step = ${step}, last_used_at = now() where id = ${id} and last_step < ${step} returning id`,
  )
  return used ? 'right' : 'replayed'
}

async function useRecoveryCode(db: Db, id: number, digest: Buffer): Promise<Outcome> {
  const named = sql`second_factor_id = ${id} and digest = ${digest}`
  const used = await row(
    db,
    sql`update recovery_codes set used_at = now() where ${named} and used_at is null returning used_at`,
  )
  if (used) return 'right'
  return (await row(db, sql`select from recovery_codes where ${named}`)) ? 'used recovery code' : 'wrong'
}

/** Stores that the session of this cookie has proven the second factor just now. */
export async function noteProof(db: Db, cookie: string): Promise<void> {
  await rows(
    db,
    sql`insert into session_factors (session_id) select id from sessions where token = ${digestSecret(cookie)}
      on conflict (session_id) do update set proven_at = now()`,
  )
}

/** Whether the session of this cookie has proven the second factor within so many minutes. */
export async function isFresh(db: Db, cookie: string, minutes: number): Promise<boolean> {
  const found = await row(
    db,
    sql`select from session_factors f join sessions s on s.id = f.session_id
      where s.token = ${digestSecret(cookie)} and f.proven_at > now() - make_interval(mins => ${minutes}::integer)`,
  )
  return found !== undefined
}
