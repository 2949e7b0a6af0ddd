/** Translates LDAP result codes (RFC 4511 §4.1.9), depending on the step in which they occur. */
import { ResultCodeError } from 'ldapts'
import { DirectoryError, type DirectoryErrorCode, type StepName } from './errors.ts'

/** Builds the error for a result that is not success. */
export function translated(error: ResultCodeError, step: StepName, server: string, anonymous: boolean): DirectoryError {
  const code = anonymous && AUTHENTICATION_WANTED.has(error.code) ? 'anonymous_refused' : codeOf(error.code, step)
  const detail = code === 'failed' ? `LDAP result ${error.code}` : undefined
  return new DirectoryError(code, step, { server, detail, cause: error })
}

/**
 * Tells whether the refusal of a person's bind means a wrong password, a locked or disabled account, or one without a
 * password.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof ResultCodeError && REFUSALS.has(error.code)
}

/** Yields the reason why the service account was refused. */
export function accountRefusalOf(error: ResultCodeError, anonymous: boolean): DirectoryErrorCode {
  if (anonymous && REFUSALS.has(error.code)) return 'anonymous_refused'
  if (error.code === INVALID_CREDENTIALS) return SUB_CODES[subCodeOf(error.message) ?? ''] ?? 'account_refused'
  if (error.code === CONSTRAINT_VIOLATION || error.code === UNWILLING) return 'account_locked'
  if (error.code === INVALID_DN) return 'account_name'
  if (REFUSALS.has(error.code)) return 'account_refused'
  return codeOf(error.code, 'bind')
}

const OPERATIONS_ERROR = 1
const CONSTRAINT_VIOLATION = 19
const NO_SUCH_OBJECT = 32
const INVALID_DN = 34
const INVALID_CREDENTIALS = 49
const UNWILLING = 53

/**
 * Result codes that refuse a person: some servers answer with constraint violation or unwilling for locked and inactive
 * accounts, and with 48 for those without a password.
 */
const REFUSALS: ReadonlySet<number> = new Set([
  CONSTRAINT_VIOLATION,
  NO_SUCH_OBJECT,
  INVALID_DN,
  48,
  INVALID_CREDENTIALS,
  50,
  UNWILLING,
])

/** Result codes with which servers refuse anonymous requests; server type directory_b answers with an operations error. */
const AUTHENTICATION_WANTED: ReadonlySet<number> = new Set([OPERATIONS_ERROR, 8, 48, 50, UNWILLING])

/** Reasons for a refused bind, which server type directory_b gives only in its text, as `data 533`. */
const SUB_CODES: Record<string, DirectoryErrorCode | undefined> = {
  '532': 'account_expired',
  '533': 'account_disabled',
  '701': 'account_expired',
  '773': 'account_expired',
  '775': 'account_locked',
}

function subCodeOf(text: string): string | undefined {
  return /\bdata ([0-9a-f]+)\b/.exec(text)?.[1]
}

const CODES: Record<number, DirectoryErrorCode | undefined> = {
  3: 'time_limit',
  4: 'size_limit',
  8: 'tls_required',
  10: 'referral',
  11: 'size_limit',
  12: 'paging_unsupported',
  13: 'tls_required',
  [INVALID_DN]: 'base_invalid',
  48: 'anonymous_refused',
  [INVALID_CREDENTIALS]: 'account_refused',
  50: 'denied',
  51: 'busy',
  52: 'unavailable',
  [UNWILLING]: 'unwilling',
}

function codeOf(code: number, step: StepName): DirectoryErrorCode {
  if (code === NO_SUCH_OBJECT)
    return step === 'groups_base' || step === 'membership' ? 'groups_base_missing' : 'base_missing'
  return CODES[code] ?? 'failed'
}
