import { hash, randomBytes } from 'node:crypto'
import { deleteInSteps } from '../../database/delete-in-steps.ts'
import { type Db, row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** The purpose of a registration token, which limits its access. */
export interface TokenLimits {
  /** Id of the user on whose behalf it registers hosts. */
  readonly user: number
  readonly organization: number
  /** Null: any that the user may name. */
  readonly location: number | null
  /** Null: any that the user may name, or none. */
  readonly hostgroup: number | null
  /** Names of activation keys. */
  readonly keys: readonly string[]
}

/** A valid token: its limits, and when it was created. */
export interface TokenHolder extends TokenLimits {
  readonly created: Date
}

const SHAPE = /^mwr_[A-Za-z0-9_-]{43}$/

/** Stands for "without an end": a hundred years. */
const ENDLESS_HOURS = 876_000

/** What a new registration token is for, and how long. */
interface NewToken extends TokenLimits {
  /** Hours of validity; 0: without an end. */
  readonly hours: number
}

/**
 * Creates a token with which a command registers hosts on behalf of a user. Only its hash is stored (content-api §5.1).
 */
export async function createRegistrationToken(db: Db, { hours, ...limits }: NewToken): Promise<string> {
  const token = `mwr_${randomBytes(32).toString('base64url')}`
  await sql`
    insert into registration_tokens (token_hash, user_id, organization_id, location_id, hostgroup_id, activation_keys, expires_at)
    values (${computeDigest(token)}, ${limits.user}, ${limits.organization}, ${limits.location}, ${limits.hostgroup},
      ${[...limits.keys]}::text[],
      now() + make_interval(hours => ${hours === 0 ? ENDLESS_HOURS : hours}::integer))`.execute(db)
  return token
}

/**
 * Loads the holder of a token; undefined for unknown and expired ones. With `isUse` the use is counted, as for fetching the
 * script.
 */
export async function loadTokenHolder(db: Db, token: string, isUse: boolean): Promise<TokenHolder | undefined> {
  if (!SHAPE.test(token)) return undefined
  const found = sql`token_hash = ${computeDigest(token)} and expires_at > now()`
  const holder = sql`user_id as user, organization_id as organization, location_id as location, hostgroup_id as hostgroup,
    activation_keys as keys, created_at as created`
  return row<TokenHolder>(
    db,
    isUse
      ? sql`update registration_tokens set uses = least(uses, 2147483646) + 1, last_used_at = now() where ${found}
          returning ${holder}`
      : sql`select ${holder} from registration_tokens where ${found}`,
  )
}

/**
 * Deletes expired tokens, and identities of hosts that are gone for so long that their certificates have expired. Yields
 * how many. It can be interrupted at any time.
 */
export async function deleteOldIdentities(db: Db, certificateDays: number, signal: AbortSignal): Promise<number> {
  const tokens = await deleteInSteps(db, 'registration_tokens', sql`expires_at <= now()`, { signal })
  const old = sql`gone_at < now() - make_interval(days => ${certificateDays}::integer)`
  return tokens + (await deleteInSteps(db, 'gone_registrations', old, { key: 'uuid', signal }))
}

function computeDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
