import { findFactorNeed, isSessionOfProvider, requireFreshProof } from '../../areas/access/index.ts'
import type { Actor } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { membersOf } from '../../lib/values.ts'
import type { Route } from '../../requests/route.ts'
import type { Shared } from '../shared.ts'

/** The message of a login that still needs a code; the console knows it by this. */
export const CODE_MISSING = 'The second factor is missing'

/** Routes that lead to a session: one asks a passkey, the other begins the session and reads the proof itself. */
const BEGINNING = new Set(['session.passkey', 'session.create'])

/** What somebody without the second factor that they must have can still use: it leads to one. */
const LEADING = new Set(['second_factors', 'session', 'sessions', 'service'])

/**
 * Writes that need a fresh proof, wherever their paths begin: whoever has an open browser of somebody must not get more than
 * that. What an audit takes back may be any of them.
 */
const GUARDED = new RegExp(
  [
    /\/(?:personal_access_tokens|ssh_keys|second_factors|user_identities|login_requests)(?:\/|$)/,
    /\/(?:roles|filters|usergroups|external_usergroups|auth_source\w*)(?:\/|$)/,
    /\/users(?:\/+[^/]+)?\/*$/,
    /\/audits\/+[^/]+\/+revert\/*$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** The request, as far as this decision needs it. */
interface Asked {
  readonly route: Route
  readonly body: () => unknown
  /** The cookie of the session. */
  readonly cookie: string | null
}

/**
 * Refuses a caller who came with a password only, without the second factor that they have or must have, and writes to
 * users, their tokens and factors, roles and sources in a session whose proof is too old. Tokens, machines, users of web servers in front and of
 * providers need to set up none. {@throws Failure} unauthenticated, denied
 */
export async function requireSecondFactor(
  shared: Shared,
  { actor, method }: { readonly actor: Actor; readonly method: string | null },
  asked: Asked,
): Promise<void> {
  if (method !== 'password' && method !== 'session') return
  const { route, cookie } = asked
  const settings = shared.settings()
  const need = await findFactorNeed(shared.database.db, actor, settings, new Date())
  if (need === 'enrol' && !LEADING.has(route.group)) {
    const isOfProvider = cookie !== null && (await isSessionOfProvider(shared.database.db, cookie))
    if (!isOfProvider) throw createRefusal(ENROL)
  }
  if (need !== 'prove') return
  if (method === 'password' && !BEGINNING.has(route.id))
    throw new Failure('unauthenticated', `Unable to authenticate user ${actor.login}`, { details: BY_TOKEN })
  if (cookie === null || route.method === 'GET' || !listPaths(asked).some((path) => GUARDED.test(path))) return
  await requireFreshProof({ db: shared.database.db, user: actor, settings, origin: { session: cookie } })
}

const BY_TOKEN = 'This account has a second factor: use a personal access token in place of the password.'
const ENROL = 'This account must have a second factor, and the time to set one up is over: set one up now.'

function createRefusal(details: string): Failure {
  return new Failure('denied', 'Access denied', { details, missingPermissions: null })
}

/** Lists the path of the request, or the paths that a batch names. */
function listPaths({ route, body }: Asked): string[] {
  if (route.group !== 'batch') return [route.path]
  const { operations } = membersOf(body())
  return Array.isArray(operations) ? operations.map((one) => toPlainPath(String(membersOf(one).path))) : []
}

/** Yields the path that a batch is routed by, decoded. */
function toPlainPath(path: string): string {
  const url = URL.parse(path, 'http://localhost')
  try {
    return decodeURIComponent(url?.pathname ?? path)
  } catch {
    return path
  }
}
