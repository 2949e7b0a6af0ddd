import type { Context } from '../../../context.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { decryptIfPossible, purposeOf } from '../../../encryption/encryption.ts'
import { Failure } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { digestSecret } from '../identity/secrets.ts'
import { recordLogin } from '../login-event/record.ts'
import { digestRecoveryCode, findStep, isTimeCode } from './codes.ts'

/** What the stored secrets of factors are encrypted for. */
export const SECRET_PURPOSE = purposeOf({ table: 'second_factors', column: 'secret' })

type Proving = Pick<Context, 'db' | 'encryption' | 'now' | 'log' | 'lockout' | 'origin'>

// Wrong codes after which no code of an account counts for a while, and the seconds that this lasts.
const MOST_FAILURES = 5
const LOCK_SECONDS = 300

/** Reads a code, without blanks; null for none. A number has lost the zeros at its beginning. */
export function readCode({ code }: Readonly<Record<string, unknown>>): string | null {
  if (typeof code === 'number') return String(code).padStart(6, '0')
  const text = typeof code === 'string' ? code.replaceAll(/\s/g, '') : ''
  return text === '' ? null : text.slice(0, LONGEST_CODE)
}

const LONGEST_CODE = 64

/**
 * Requires a code of one of the user's factors, or one of their recovery codes, that was not used before. Wrong ones count
 * for the address and for the account. {@throws Failure} unauthenticated, locked_out
 */
export async function requireCode(ctx: Proving, userId: number, code: string): Promise<void> {
  await countAttempt(ctx.db, userId)
  const outcome = await tryCode(ctx, userId, code)
  if (outcome === 'right') {
    await rows(ctx.db, sql`delete from second_factor_failures where user_id = ${userId}`)
    return
  }
  ctx.log.info({ user: userId, address: ctx.origin.address, reason: outcome }, 'second factor refused')
  const { address } = ctx.origin
  await recordLogin(ctx.db, { user: userId, outcome: 'refused', method: 'factor', reason: SENTENCES[outcome], address })
  await ctx.lockout.fail(address)
  throw new Failure('unauthenticated', 'The second factor was refused', { details: SENTENCES[outcome] })
}

const SENTENCES = {
  wrong: 'This code is wrong. Check the clock of your device, or use a recovery code.',
  replayed: 'This code was used already. Wait for the next one.',
  'used recovery code': 'This recovery code was used already. Each counts once.',
}

type Outcome = 'right' | keyof typeof SENTENCES

/** Counts an attempt before it is checked, so that many at once are not more than the limit. */
async function countAttempt(db: Db, userId: number): Promise<void> {
  const counted = await row<{ failures: number; left: number }>(
    db,
    sql`
      insert into second_factor_failures as known (user_id, failures, until)
      values (${userId}, 1, now() + make_interval(secs => ${LOCK_SECONDS}))
      on conflict (user_id) do update
        set failures = case when known.until > now() then known.failures + 1 else 1 end,
            until = case when known.until > now() and known.failures >= ${MOST_FAILURES} then known.until else excluded.until end
      returning failures, ceil(extract(epoch from until - now()))::integer as left`,
  )
  if (!counted || counted.failures <= MOST_FAILURES) return
  const message = `Too many wrong codes for this account: ${MOST_FAILURES} within ${LOCK_SECONDS / 60} minutes. Try again in ${counted.left} seconds.`
  throw new Failure('locked_out', message, { retryAfter: counted.left })
}

async function tryCode({ db, encryption, now }: Proving, userId: number, code: string): Promise<Outcome> {
  const factors = await rows<{ id: number; secret: string }>(
    db,
    sql`select id, secret from second_factors where user_id = ${userId} and confirmed_at is not null order by id`,
  )
  let outcome: Outcome = 'wrong'
  for (const { id, secret: sealed } of factors) {
    const secret = decryptIfPossible(encryption, sealed, SECRET_PURPOSE)
    if (secret === null) continue
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
