import type { Actor, Context } from '../../../context.ts'
import { type Db, row } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Settings } from '../../../settings/settings.ts'
import { sql } from '../../../sql.ts'
import { isFresh } from './proof.ts'

/** What somebody has to do about a second factor before they go on; null: nothing. */
type FactorNeed = 'prove' | 'enrol' | null

const DAY_MS = 86_400_000

/**
 * Finds what a user who logged in by password (now or when the session began) has to do: prove the factor that they have,
 * or set one up, once the grace period of those who must have one is over. The period begins with the first login for which
 * it counts.
 */
export async function findFactorNeed(db: Db, actor: Actor, settings: Settings, now: Date): Promise<FactorNeed> {
  if (actor.secondFactor?.has) return 'prove'
  if (!mustHave(actor, settings)) return null
  const since = actor.secondFactor?.due ? new Date(actor.secondFactor.due) : await noteDue(db, actor.id)
  return now.getTime() >= since.getTime() + settings.second_factor_grace_days * DAY_MS ? 'enrol' : null
}

function mustHave({ admin, roles = [] }: Actor, settings: Settings): boolean {
  const { second_factor_required: required, second_factor_roles: named } = settings
  return (
    required === 'everybody' || (required === 'administrators' && admin) || roles.some((role) => named.includes(role))
  )
}

async function noteDue(db: Db, userId: number): Promise<Date> {
  const noted = await row<{ since: Date }>(
    db,
    sql`insert into second_factor_dues (user_id) values (${userId}) on conflict (user_id) do update set since = second_factor_dues.since
      returning since`,
  )
  return noted ? new Date(noted.since) : new Date()
}

/** Whether a session need not prove the factor of its user again. */
async function loadSessionFreshness(db: Db, actor: Actor, cookie: string, minutes: number): Promise<boolean> {
  return minutes === 0 || !actor.secondFactor?.has || isFresh(db, cookie, minutes)
}

/** Refuses a session whose proof of the second factor is too old. {@throws Failure} denied */
export async function requireFreshProof({ db, user, origin, settings }: Proving): Promise<void> {
  if (origin.session === null) return
  if (await loadSessionFreshness(db, user, origin.session, settings.second_factor_fresh_minutes)) return
  throw new Failure('denied', 'Access denied', { details: STALE, missingPermissions: null })
}

type Proving = Pick<Context, 'db' | 'user' | 'settings'> & { readonly origin: Pick<Context['origin'], 'session'> }

const STALE = 'Prove your second factor again first: POST /api/session/proof with a code or a passkey.'
