import { isIP } from 'node:net'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { buildOwnAddress } from '../openid/addresses.ts'
import { CHALLENGE_SECONDS, storeChallenge, useChallenge } from './challenges.ts'

// The package is loaded with the first use of a passkey, because most services have none.
const load = () => import('@simplewebauthn/server')

type Asking = Pick<Context, 'db' | 'origin'>

/** EdDSA, ES256 and RS256: what all devices have. To ask Node for newer ones prints a warning. */
const ALGORITHMS = [-8, -7, -257]

/** Why a proof was refused: for the user, and for the log and the history of logins. */
export interface Refusal {
  readonly details: string
  readonly reason: string
  /** The error of the library, for the log. */
  readonly error?: unknown
}

/** The host name and the address at which a browser sees the console. Passkeys belong to one host name. */
interface Site {
  readonly host: string
  readonly address: string
}

function readSite(origin: Context['origin']): Site {
  const { hostname, origin: address } = new URL(buildOwnAddress(origin))
  return { host: hostname, address }
}

/** Reads the host name to which a new passkey would belong. {@throws Failure} invalid */
export function readPasskeyHost(origin: Context['origin']): string {
  const { host } = readSite(origin)
  if (isIP(host.replaceAll(/[[\]]/g, '')) === 0) return host
  throw invalid({ kind: [`cannot be passkey at ${host}: a passkey belongs to a host name; use that of the service`] })
}

/** Whose passkey is set up, and the factor that it becomes. */
interface Owner {
  readonly user: number
  readonly login: string
  readonly factor: number
}

/** Builds what a browser makes a passkey from (`navigator.credentials.create`). */
export async function buildCreationOptions(ctx: Asking, { user, login, factor }: Owner) {
  const { generateRegistrationOptions } = await load()
  const { host } = readSite(ctx.origin)
  const options = await generateRegistrationOptions({
    rpName: 'Millwright',
    rpID: host,
    userName: login,
    userID: new TextEncoder().encode(`user ${user}`),
    timeout: CHALLENGE_SECONDS * 1000,
    excludeCredentials: await listCredentials(ctx, user, host),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  await storeChallenge(ctx, { challenge: options.challenge, user, factor })
  return options
}

/** Builds what a browser asks a passkey to sign (`navigator.credentials.get`). {@throws Failure} invalid */
export async function buildRequestOptions(ctx: Asking, user: number) {
  const { host } = readSite(ctx.origin)
  const allowCredentials = await listCredentials(ctx, user, host)
  if (allowCredentials.length === 0) throw invalid({ passkey: [await describeMissing(ctx, user, host)] })
  const { generateAuthenticationOptions } = await load()
  const timeout = CHALLENGE_SECONDS * 1000
  const options = await generateAuthenticationOptions({
    rpID: host,
    allowCredentials,
    timeout,
    userVerification: 'required',
  })
  await storeChallenge(ctx, { challenge: options.challenge, user, factor: null })
  return options
}

const selectPasskeys = (user: number) => sql`user_id = ${user} and kind = 'passkey' and confirmed_at is not null`

function listCredentials({ db }: Asking, user: number, host: string): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    db,
    sql`select credential as id from second_factors where ${selectPasskeys(user)} and host = ${host} order by id`,
  )
}

async function describeMissing({ db }: Asking, user: number, host: string): Promise<string> {
  const found = await rows<{ host: string }>(
    db,
    sql`select distinct host from second_factors where ${selectPasskeys(user)} order by host`,
  )
  if (found.length === 0) return 'is missing: this account has none; use a code'
  const others = found.map((one) => one.host).join(', ')
  return `belongs to the host name ${others}, and this is ${host}: open the console there, or use a code`
}

const BASE64URL = z
  .string()
  .regex(/^[\w-]+$/)
  .max(20_000)
const NAMED = { id: BASE64URL, rawId: BASE64URL, type: z.literal('public-key') }
const ATTESTED = z.object({
  ...NAMED,
  response: z.object({ clientDataJSON: BASE64URL, attestationObject: BASE64URL }),
  clientExtensionResults: z.unknown().transform(() => ({})),
})
const ASSERTED = z.object({
  ...NAMED,
  response: z.object({ clientDataJSON: BASE64URL, authenticatorData: BASE64URL, signature: BASE64URL }),
  clientExtensionResults: z.unknown().transform(() => ({})),
})
const CLIENT_DATA = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      ctx.addIssue('must be JSON')
      return z.NEVER
    }
  })
  .pipe(z.object({ challenge: z.string(), origin: z.url() }))

function readClientData(encoded: string) {
  return CLIENT_DATA.safeParse(Buffer.from(encoded, 'base64url').toString()).data ?? null
}

const MALFORMED = {
  details: 'The answer of the passkey must be the one of the browser, as JSON.',
  reason: 'what was sent is not the answer of a passkey',
}
const WRONG = {
  details: 'The passkey was not accepted. Use it again, or use a code.',
  reason: 'the signature or the data of a passkey are wrong',
}
const CHALLENGES = {
  expired: {
    details: 'The time for this passkey is over. Use it again.',
    reason: 'a passkey answered too late',
  },
  replayed: {
    details: 'This answer of the passkey was used already. Use the passkey again.',
    reason: 'the answer of a passkey was used already',
  },
  foreign: {
    details: 'This answer of the passkey belongs to another login. Use the passkey again.',
    reason: 'a passkey answered a challenge of another user or session',
  },
}

/** A new passkey, as far as it is stored; or why it was refused. */
type Attested =
  | { readonly credential: string; readonly publicKey: Buffer; readonly signCount: number }
  | { readonly refusal: Refusal }

/** Checks what a browser answers after it has made a passkey. */
export async function readAttestation(ctx: Asking, factor: Omit<Owner, 'login'>, sent: unknown): Promise<Attested> {
  const answer = ATTESTED.safeParse(sent).data
  const client = answer && readClientData(answer.response.clientDataJSON)
  if (!answer || !client) return { refusal: MALFORMED }
  const site = readSite(ctx.origin)
  const use = await useChallenge(ctx, { challenge: client.challenge, ...factor })
  if (use !== 'right') return { refusal: CHALLENGES[use] }
  if (client.origin !== site.address) return { refusal: refuseHost(new URL(client.origin).hostname, site) }
  try {
    const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
      load(),
      import('@simplewebauthn/server/helpers'),
    ])
    const stated = decodeAttestationObject(new Uint8Array(Buffer.from(answer.response.attestationObject, 'base64url')))
    // The service does not ask who made a passkey. To check certificates it would fetch lists from addresses in them.
    const isPlain = ['none', 'packed'].includes(stated.get('fmt')) && !stated.get('attStmt').get('x5c')
    if (!isPlain) return { refusal: WRONG }
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer,
      expectedChallenge: client.challenge,
      expectedOrigin: site.address,
      expectedRPID: site.host,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return { refusal: WRONG }
    const { id, publicKey, counter } = registrationInfo.credential
    return { credential: id, publicKey: Buffer.from(publicKey), signCount: counter }
  } catch (error) {
    return { refusal: { ...WRONG, error } }
  }
}

interface Stored {
  readonly id: number
  readonly public_key: Buffer
  readonly host: string
}

/** Checks what a passkey of the user has signed; null: it is right. */
export async function tryPasskey(ctx: Asking, user: number, sent: unknown): Promise<Refusal | null> {
  const answer = ASSERTED.safeParse(sent).data
  const client = answer && readClientData(answer.response.clientDataJSON)
  if (!answer || !client) return MALFORMED
  const use = await useChallenge(ctx, { challenge: client.challenge, user, factor: null })
  if (use !== 'right') return CHALLENGES[use]
  const stored = await row<Stored>(
    ctx.db,
    sql`select id, public_key, host from second_factors where ${selectPasskeys(user)} and credential = ${answer.id}`,
  )
  if (!stored) return { details: 'This passkey is not one of this account.', reason: 'a passkey of no or another user' }
  const site = readSite(ctx.origin)
  if (stored.host !== site.host) return refuseHost(stored.host, site)
  if (client.origin !== site.address) return refuseHost(new URL(client.origin).hostname, site)
  try {
    const { verifyAuthenticationResponse } = await load()
    // The statement below compares the counter, so that it holds for two answers at once.
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: client.challenge,
      expectedOrigin: site.address,
      expectedRPID: stored.host,
      credential: { id: answer.id, publicKey: new Uint8Array(stored.public_key), counter: 0 },
    })
    return verified ? await countUse(ctx, stored.id, authenticationInfo.newCounter) : WRONG
  } catch (error) {
    return { ...WRONG, error }
  }
}

/** Stores the counter of a passkey. Many count nothing, and then it stays 0. */
async function countUse({ db }: Asking, id: number, counter: number): Promise<Refusal | null> {
  const counted = await row(
    db,
    sql`update second_factors set sign_count = ${counter}, last_used_at = now()
      where id = ${id} and (sign_count < ${counter} or (sign_count = 0 and ${counter} = 0)) returning id`,
  )
  if (counted) return null
  return {
    details:
      'This passkey may have been copied, because its counter went back. Remove it, and inform an administrator.',
    reason: 'the counter of a passkey went back: it may have been copied',
  }
}

function refuseHost(host: string, site: Site): Refusal {
  return {
    details: `This passkey belongs to the host name ${host}, and this is ${site.host}. Open the console there, or use a code.`,
    reason: `a passkey of the host name ${host} was used at ${site.address}`,
  }
}
