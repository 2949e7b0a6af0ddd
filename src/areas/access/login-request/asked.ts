import { randomInt } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { OAuthError } from './oauth-error.ts'

/** The only client: the command line, which has no secret. */
const CLIENT_ID = 'millwright-cli'

/** The grant type of devices. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Seconds that somebody has for consent, and the client for collecting its token. */
export const REQUEST_SECONDS = 600

/** The parameters of a request, as they were sent. */
export type Sent = Readonly<Record<string, unknown>>

/** What a client asks for. */
export interface Asked {
  /** What the client calls itself; shown at the consent, and in the name of its token. */
  readonly clientName: string
  /** Permissions that the token is limited to; null: none. */
  readonly permissions: readonly string[] | null
}

const LONGEST_NAME = 100
const MOST_PERMISSIONS = 100

/** Reads what a client asks for. {@throws OAuthError} */
export async function readAsked({ db }: Pick<Context, 'db'>, sent: Sent): Promise<Asked> {
  requireClient(sent)
  const named = typeof sent.client_name === 'string' ? sent.client_name.replaceAll(/[\p{C}\s]+/gu, ' ').trim() : ''
  const clientName = [...named].slice(0, LONGEST_NAME).join('') || 'millwright'
  const scope = typeof sent.scope === 'string' ? sent.scope : ''
  const wanted = [...new Set(scope.split(' ').filter(Boolean))]
  if (wanted.length === 0) return { clientName, permissions: null }
  if (wanted.length > MOST_PERMISSIONS)
    throw new OAuthError('invalid_scope', `scope has at most ${MOST_PERMISSIONS} names of permissions`)
  const known = await rows<{ name: string }>(db, sql`select name from permissions where name = any (${wanted}::text[])`)
  const names = new Set(known.map(({ name }) => name))
  const unknown = wanted.find((name) => !names.has(name))
  if (unknown === undefined) return { clientName, permissions: wanted }
  const shown = unknown.slice(0, LONGEST_NAME)
  throw new OAuthError(
    'invalid_scope',
    `scope is names of permissions with blanks between, such as view_hosts: ${shown}`,
  )
}

/** {@throws OAuthError} invalid_client */
export function requireClient({ client_id }: Sent): void {
  if (client_id !== CLIENT_ID) throw new OAuthError('invalid_client', `client_id must be ${CLIENT_ID}`)
}

/** Letters without vowels, so that no code is a word (RFC 8628 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const HALF = 4

/** A code for people to type: 20^8, more than anybody can try in ten minutes. */
export function generateUserCode(): string {
  const generateHalf = () => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${generateHalf()}-${generateHalf()}`
}

/** Reads a typed code, whatever stands between its letters; null where it cannot be one. */
export function readUserCode(typed: unknown): string | null {
  if (typeof typed !== 'string' || typed.length > 30) return null
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  if (letters.length !== 2 * HALF || [...letters].some((letter) => !LETTERS.includes(letter))) return null
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`
}
