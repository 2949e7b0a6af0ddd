import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import type { Purpose } from '../../../encryption/encryption.ts'
import { notFound } from '../../../errors.ts'
import { membersOf } from '../../../lib/values.ts'
import { OpenIdError } from '../../../openid/errors.ts'
import type { PendingLogin } from '../../../openid/relying-party.ts'
import { sql } from '../../../sql.ts'
import { digestSecret } from '../identity/secrets.ts'
import { acceptPerson, type Identity, linkPerson, listWantedClaims } from './accept.ts'
import { buildRedirectUri } from './addresses.ts'
import { loadProvider, type ProviderSource } from './sources.ts'
import { spend } from './spent.ts'

/** The part of the context of a request that logins at providers need. */
export type LoginContext = Pick<Context, 'db' | 'openid' | 'encryption' | 'origin' | 'log'>

/** Seconds that a person has to log in at the provider. */
export const LOGIN_SECONDS = 600

/** A login that was begun: where the browser goes, and what it brings back as a cookie. */
export interface BegunLogin {
  readonly url: string
  readonly cookie: string
}

/** A login that has succeeded at the provider and here. */
export interface FinishedLogin extends Identity {
  readonly sid: string | null
  readonly idToken: string
  readonly returnTo: string
  /** Whether an account was linked instead of beginning a session. */
  readonly isLink: boolean
}

/**
 * What a login remembers in a cookie, encrypted: so any process can finish it, and only the browser that has begun it can.
 */
interface Remembered extends PendingLogin {
  readonly source: number
  readonly returnTo: string
  readonly until: number
  /** The user to be linked, with the session in which they asked for it; null for a login. */
  readonly link: { readonly user: number; readonly session: string } | null
}

const PURPOSE: Purpose = { text: JSON.stringify(['login at a provider']), readsOlder: false }

/** Begins a login at a provider, or linking the account of a session. {@throws Failure, OpenIdError} */
export async function beginLogin(
  ctx: LoginContext,
  id: number,
  returnTo: unknown,
  link: { readonly user: number; readonly cookie: string } | null = null,
): Promise<BegunLogin> {
  const source = await findProvider(ctx, id)
  const { url, ...pending } = await ctx.openid.begin(source.settings, buildRedirectUri(ctx.origin, id))
  const remembered: Remembered = {
    ...pending,
    source: id,
    returnTo: readReturn(returnTo),
    until: Date.now() + LOGIN_SECONDS * 1000,
    link: link && { user: link.user, session: digestSecret(link.cookie).toString('base64') },
  }
  const sealed = ctx.encryption.encrypt(JSON.stringify(remembered), PURPOSE)
  return { url: url.href, cookie: Buffer.from(sealed).toString('base64url') }
}

/** What the browser brings back: the query of the answer, the cookie of the login, and that of a session. */
export interface BrowserAnswer {
  readonly query: Readonly<Record<string, unknown>>
  readonly cookie: string | null
  readonly session: string | null
}

/** Finishes a login with the answer of the provider. {@throws Failure, OpenIdError} */
export async function finishLogin(
  ctx: LoginContext,
  id: number,
  answer: BrowserAnswer,
  forget: () => void,
): Promise<FinishedLogin> {
  const source = await findProvider(ctx, id)
  const remembered = unseal(ctx, answer.cookie)
  if (remembered === null) throw new OpenIdError('no_login', 'the browser has no cookie of a login')
  if (remembered.source !== id)
    throw new OpenIdError('wrong_provider', `the login was begun at source ${remembered.source}`)
  const { state } = answer.query
  if (typeof state !== 'string' || !digestSecret(state).equals(digestSecret(remembered.state)))
    throw new OpenIdError('no_login', 'the state belongs to another login')
  if (!(await spend(ctx.db, `state ${remembered.state}`, LOGIN_SECONDS + 60)))
    throw new OpenIdError('replayed', 'the state was used before')
  const url = new URL(buildRedirectUri(ctx.origin, id))
  for (const [name, value] of Object.entries(answer.query)) {
    if (typeof value === 'string') url.searchParams.set(name, value)
  }
  const confirmed = await ctx.openid.finish(source.settings, url, remembered, listWantedClaims(source))
  const address = ctx.origin.address ?? ''
  const { link } = remembered
  const identity = link
    ? await linkPerson(ctx.db, source, confirmed, await findLinked(ctx, link, answer.session, address))
    : await acceptPerson({ db: ctx.db, forget }, source, confirmed, address)
  const sid = confirmed.claims.sid
  return {
    ...identity,
    sid: typeof sid === 'string' ? sid : null,
    idToken: confirmed.idToken,
    returnTo: remembered.returnTo,
    isLink: link !== null,
  }
}

async function findProvider({ db, encryption }: LoginContext, id: number): Promise<ProviderSource> {
  const source = Number.isSafeInteger(id) && id > 0 ? await loadProvider(db, encryption, id) : undefined
  if (!source) throw notFound('auth_source_oidc', id)
  return source
}

function unseal({ encryption }: LoginContext, cookie: string | null): Remembered | null {
  if (cookie === null || cookie.length > 8_000) return null
  try {
    const remembered = JSON.parse(encryption.decrypt(Buffer.from(cookie, 'base64url').toString('utf8'), PURPOSE))
    return membersOf(remembered).until !== undefined && remembered.until > Date.now() ? remembered : null
  } catch {
    return null // made with a key that is lost, or by somebody else
  }
}

/** Finds the user who asked for the link, in the session in which they did. {@throws OpenIdError} */
async function findLinked(
  { db }: LoginContext,
  link: { readonly user: number; readonly session: string },
  session: string | null,
  address: string,
) {
  const isSame = session !== null && digestSecret(session).toString('base64') === link.session
  const found = isSame
    ? await row<{ id: number; name: string }>(
        db,
        sql`
          select users.id, users.login as name from sessions join users on users.id = sessions.user_id
          where sessions.token = ${digestSecret(session)} and users.id = ${link.user} and not users.disabled`,
      )
    : undefined
  if (!found) throw new OpenIdError('not_your_session', `user ${link.user} has no such session any more`)
  return { ...found, address }
}

/** Reads where the browser goes after the login: a path of this service, and nothing that leads elsewhere. */
function readReturn(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > 2000 || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(wanted)) return '/'
  return new URL(wanted, 'http://localhost').host === 'localhost' ? wanted : '/'
}
