import { Failure } from '../errors.ts'

/** What PostgreSQL says about a statement it refused; the same fields on both databases. */
export interface DatabaseError extends Error {
  /** SQLSTATE, e.g. 23505. */
  readonly code: string
  readonly severity: string
  readonly detail?: string
  readonly table?: string
  readonly column?: string
  /** The violated constraint or unique index. */
  readonly constraint?: string
  readonly position?: string
  readonly routine?: string
}

/** The error as PostgreSQL's own, or null when it came from somewhere else. */
export function databaseError(error: unknown): DatabaseError | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null
  return error as DatabaseError // both drivers fill the fields of the wire protocol's ErrorResponse
}

/**
 * The error a statement on a server is to fail with: Failure('unavailable') when the server went away, is full, or
 * stopped the statement at its time limit; what PostgreSQL said otherwise.
 */
export function statementFailure(error: unknown, statementTimeoutMs: number): unknown {
  if (error instanceof Failure) return error
  const refused = databaseError(error)
  // Values are text before the driver sees them, so what is not PostgreSQL's answer is a broken connection.
  if (!refused) return unreachable(error)
  if (refused.code === QUERY_CANCELED) {
    const message = `The database stopped a statement that ran longer than ${statementTimeoutMs} ms`
    return new Failure('unavailable', message, {}, { cause: error })
  }
  if (refused.code === DISK_FULL) return diskFull(error)
  if (refused.code === READ_ONLY)
    return new Failure('unavailable', 'The database takes no writes', {}, { cause: error })
  return isAway(refused) ? unreachable(error) : error
}

/** Failure('unavailable') for a database that has no room to write. */
export function diskFull(cause: unknown, where = 'the database'): Failure {
  return new Failure('unavailable', `The disk of ${where} is full: make room there`, {}, { cause })
}

/** Whether the server that said so is not the one to ask, though another may be: a standby, or one that starts or stops. */
export function isElsewhere(error: unknown): boolean {
  const refused = databaseError(error)
  if (refused) return ELSEWHERE.has(refused.code)
  if (error instanceof AggregateError) return error.errors.every(isElsewhere)
  return error instanceof Error && ('syscall' in error || error.message.startsWith('Connection terminated'))
}

/** What a standby says to whoever wants to write there. */
export function standbyError(): Error {
  return Object.assign(new Error('it is a standby, which takes no writes'), { code: READ_ONLY, severity: 'ERROR' })
}

export const DISK_FULL = '53100'
export const READ_ONLY = '25006'
const ELSEWHERE = new Set(['57P01', '57P02', '57P03', READ_ONLY])

/** Failure('unavailable') for a database that does not answer; keeps what the driver said as its cause. */
export function unreachable(error: unknown): Failure {
  return new Failure('unavailable', 'The database cannot be reached', {}, { cause: error })
}

/** Whether a database that could not be used may be there later without anybody changing the configuration. */
export function mayComeBack(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'unavailable' && mayComeBack(error.cause)
  if (error instanceof AggregateError) return error.errors.some(mayComeBack)
  const refused = databaseError(error)
  if (refused) return isAway(refused)
  if (!(error instanceof Error)) return false
  // Of sockets and of name servers; without a code the driver says that the time was over or the connection broken.
  return 'syscall' in error || error.message.startsWith('Connection terminated')
}

/** Whether another server might do what this one did not: it went away, takes no writes, or had to replay what others wrote. */
export function mayBeElsewhere(error: unknown): boolean {
  if (error instanceof Failure)
    return error.code === 'unavailable' && databaseError(error.cause)?.code !== QUERY_CANCELED
  return databaseError(error)?.code.startsWith('40') ?? false
}

const QUERY_CANCELED = '57014'

// Connection exceptions, too many connections, shutdown, crash, starting up, idle limits: a later attempt may succeed.
const AWAY = new Set(['53300', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', READ_ONLY])

function isAway({ code }: DatabaseError): boolean {
  return code.startsWith('08') || AWAY.has(code)
}
