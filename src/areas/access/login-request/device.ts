import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { deleteInSteps } from '../../../database/delete-in-steps.ts'
import { type Db, row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { selectMoment } from '../../../requests/times.ts'
import { sql } from '../../../sql.ts'
import { networkOf, normalizeAddress } from '../identity/addresses.ts'
import { countAttempt, forgetAttempts } from '../identity/attempts.ts'
import { digestSecret } from '../identity/secrets.ts'
import { recordLogin } from '../login-event/record.ts'
import { generateUserCode, REQUEST_SECONDS, readAsked, readUserCode, type Sent } from './asked.ts'
import { OAuthError } from './oauth-error.ts'

/** The codes of a new request of a device. The database has their digests only. */
export interface DeviceCodes {
  readonly deviceCode: string
  readonly userCode: string
}

/** Requests of one network that may wait at a time: the endpoint is open to everybody. */
const MOST_WAITING = 50

/** Seconds that a device waits between requests, at first. */
export const DEVICE_INTERVAL = 5

/** Stores a request of a device for a login. {@throws OAuthError} */
export async function requestDeviceLogin(ctx: Pick<Context, 'db' | 'origin'>, sent: Sent): Promise<DeviceCodes> {
  const { clientName, permissions } = await readAsked(ctx, sent)
  const [deviceCode, userCode] = [randomBytes(32).toString('base64url'), generateUserCode()]
  const address = normalizeAddress(ctx.origin.address)
  const network = `${networkOf(address)}/${address.includes(':') ? 64 : 32}`
  const stored = await rows(
    ctx.db,
    sql`
      insert into login_requests (client_name, address, permissions, digest, user_digest, poll_interval, expires_at)
      select ${clientName}, ${address}::inet, ${permissions}::text[], ${digestSecret(deviceCode)}, ${digestSecret(userCode)},
             ${DEVICE_INTERVAL}, now() + make_interval(secs => ${REQUEST_SECONDS})
      where (select count(*) from login_requests where address <<= ${network}::inet and expires_at > now()) < ${MOST_WAITING}
      returning 1 as stored`,
  )
  if (stored.length > 0) return { deviceCode, userCode }
  throw new OAuthError('slow_down', `${MOST_WAITING} logins from this network wait already: try again in some minutes`)
}

/** A request as the person who is to consent sees it. */
export interface ShownRequest {
  readonly client_name: string
  /** The address that the request came from. */
  readonly address: string
  readonly permissions: readonly string[] | null
  readonly expires_at: string
}

type Deciding = Pick<Context, 'db' | 'origin' | 'user' | 'lockout'>

/** Finds the request that shows this code, and decides it if the caller has. {@throws Failure} invalid, locked_out */
export async function decideDeviceLogin(
  ctx: Deciding,
  typed: unknown,
  decision: 'ask' | 'allow' | 'deny',
): Promise<ShownRequest> {
  const code = readUserCode(typed)
  if (code === null) throw invalid({ user_code: ['must be eight letters, such as BCDF-GHJK'] })
  await ctx.lockout.check(ctx.origin.address)
  await countAttempt(ctx.db, 'user_code_failures', ctx.user.id)
  const found = await (decision === 'ask' ? findPending(ctx.db, code) : decide(ctx, code, decision))
  if (found) {
    await forgetAttempts(ctx.db, 'user_code_failures', ctx.user.id)
    return found
  }
  const { address } = ctx.origin
  await recordLogin(ctx.db, { user: ctx.user.id, outcome: 'refused', method: 'device', reason: WRONG, address })
  await ctx.lockout.fail(address)
  throw invalid({ user_code: [WRONG] })
}

const WRONG = 'is wrong, has expired, or was used already'
const SHOWN = sql`client_name, host(address) as address, permissions, ${selectMoment(sql`expires_at`)} as expires_at`

function findPending(db: Db, code: string): Promise<ShownRequest | undefined> {
  return row(
    db,
    sql`select ${SHOWN} from login_requests
      where user_digest = ${digestSecret(code)} and state = 'pending' and expires_at > now()`,
  )
}

function decide({ db, user }: Deciding, code: string, decision: 'allow' | 'deny'): Promise<ShownRequest | undefined> {
  return row(
    db,
    sql`update login_requests set state = ${decision === 'allow' ? 'approved' : 'denied'}, user_id = ${user.id}
      where user_digest = ${digestSecret(code)} and state = 'pending' and expires_at > now() returning ${SHOWN}`,
  )
}

/** Deletes the requests that have expired. Yields how many. */
export function deleteOldLoginRequests(db: Db, signal: AbortSignal): Promise<number> {
  return deleteInSteps(db, 'login_requests', sql`expires_at < now() - interval '1 minute'`, { key: 'digest', signal })
}
