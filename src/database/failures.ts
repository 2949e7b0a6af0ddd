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
  return isAway(refused) ? unreachable(error) : error
}

/** Failure('unavailable') for a database that does not answer; keeps what the driver said as its cause. */
export function unreachable(error: unknown): Failure {
  return new Failure('unavailable', 'The database cannot be reached', {}, { cause: error })
}

const QUERY_CANCELED = '57014'

// Connection exceptions, too many connections, shutdown, crash, starting up, idle limits: a later attempt may succeed.
const AWAY = new Set(['53300', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04'])

function isAway({ code }: DatabaseError): boolean {
  return code.startsWith('08') || AWAY.has(code)
}
