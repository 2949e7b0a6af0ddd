import { Failure } from '../errors.ts'

/** A database that nobody can use. It is logged once, by `tellOutages`, not by each request that meets it. */
export class Outage extends Failure {
  /** True where reading may go on. */
  readonly ofWrites: boolean

  constructor(message: string, cause: unknown, ofWrites = false) {
    super('unavailable', message, {}, { cause })
    this.ofWrites = ofWrites
  }
}

/** The error that PostgreSQL reports for a refused statement, with the fields that both drivers provide. */
export interface DatabaseError extends Error {
  /** The SQLSTATE, e.g. 23505. */
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

/** Yields the error if PostgreSQL reported it, and null when it came from somewhere else. */
export function toDatabaseError(error: unknown): DatabaseError | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null
  return error as DatabaseError // both drivers fill the fields of the wire protocol's ErrorResponse
}

/** Tells whether a statement was refused because of this constraint or unique index. */
export function isViolationOf(error: unknown, constraint: string): boolean {
  return toDatabaseError(error)?.constraint === constraint
}

/** Tells whether the database ended one of two conflicting transactions, by a deadlock or a serialization failure. */
export function isConflict(error: unknown): boolean {
  return ['40P01', '40001'].includes(toDatabaseError(error)?.code ?? '')
}

/** Builds the failure for work that lost to another request. */
export function createConflict(cause: unknown): Failure {
  const message = 'Another request changed the same records at the same time, please try again'
  return new Failure('conflict', message, {}, { cause })
}

/**
 * Does work of a request. Where it loses to another one, which changed the same records or deleted what it refers to, that is a
 * conflict. {@throws Failure} conflict
 */
export async function withConflicts<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isConflict(error) || isGone(error) ? createConflict(error) : error
  }
}

/**
 * Tells whether another attempt may succeed: the transaction met another one that has ended by then, or created what
 * another had created, which the next attempt finds. The cause of a failure counts as well.
 */
export function isRace(error: unknown): boolean {
  const causes = [error, error instanceof Failure ? error.cause : null]
  return causes.some((each) => isConflict(each) || toDatabaseError(each)?.code === UNIQUE)
}

/** Tells whether a statement refers to a record that was deleted at the same time. */
export function isGone(error: unknown): boolean {
  return toDatabaseError(error)?.code === FOREIGN_KEY
}

/** Tells whether the database stopped a statement at its time limit. */
export function isStopped(error: unknown): boolean {
  return error instanceof Failure && toDatabaseError(error.cause)?.code === QUERY_CANCELED
}

const QUERY_CANCELED = '57014'
const UNIQUE = '23505'
const FOREIGN_KEY = '23503'

/**
 * Converts an error of a statement on a server: to Failure('unavailable') when the server itself is in trouble, or stopped the
 * statement at its time limit; other errors of PostgreSQL stay as they are.
 */
export function toStatementFailure(error: unknown, statementTimeoutMs: number): unknown {
  if (error instanceof Failure) return error
  const refused = toDatabaseError(error)
  // Values are converted to text before the driver gets them, so that an error without a SQLSTATE is a broken connection.
  if (!refused) return unreachable(error)
  if (refused.code === QUERY_CANCELED) {
    const message = `The database stopped a statement that ran longer than ${statementTimeoutMs} ms`
    return new Failure('unavailable', message, {}, { cause: error })
  }
  return toOutage(refused) ?? error
}

/**
 * Yields the outage for what PostgreSQL reports about itself: it went away, is full, takes no writes, cannot use its files, or
 * lacks memory. Null for what it reports about a statement.
 */
function toOutage(refused: DatabaseError): Outage | null {
  const { code } = refused
  if (code === DISK_FULL) return diskFull(refused)
  if (code === READ_ONLY) return new Outage('The database takes no writes', refused, true)
  if (isAway(refused)) return unreachable(refused)
  if (isOfFiles(refused)) return new Outage('The database cannot use its files: its log says which', refused)
  if (DAMAGED.has(code)) return new Outage('The database found damage in its files: its log says in which', refused)
  if (code.startsWith(RESOURCES)) return new Outage('The database lacks memory or open files', refused)
  return null
}

/** Builds the failure ('unavailable') for a database that has no room to write. */
export function diskFull(cause: unknown, where = 'the database'): Outage {
  return new Outage(`The disk of ${where} is full: make room there`, cause, true)
}

/** Tells whether an error means that another server may answer: this one is a standby, is starting or stopping, or is away. */
export function isElsewhere(error: unknown): boolean {
  const refused = toDatabaseError(error)
  if (refused) return ELSEWHERE.has(refused.code)
  if (error instanceof AggregateError) return error.errors.every(isElsewhere)
  return error instanceof Error && ('syscall' in error || error.message.startsWith('Connection terminated'))
}

/** Builds the error that a standby reports for a write. */
export function standbyError(): Error {
  return Object.assign(new Error('it is a standby, which accepts no writes'), { code: READ_ONLY, severity: 'ERROR' })
}

/**
 * Tells whether PostgreSQL refused because of its files: system errors, and rights that the system denies to it. Those that it
 * denies to its user itself have the same code, and are found by the function that reports them.
 */
function isOfFiles({ code, routine = '' }: DatabaseError): boolean {
  return code.startsWith('58') || (code === '42501' && !routine.startsWith('aclcheck'))
}

/** The code with which PostgreSQL reports a full disk. */
const DISK_FULL = '53100'
/** The class of memory, open files and the like that a server lacks. */
const RESOURCES = '53'
/** The codes with which PostgreSQL reports pages of tables and indexes that it cannot read. */
const DAMAGED = new Set(['XX001', 'XX002'])

/** The code with which PostgreSQL refuses a write in a read-only transaction, as on a standby server. */
export const READ_ONLY = '25006'
const ELSEWHERE = new Set(['57P01', '57P02', '57P03', READ_ONLY])

/** Builds the failure ('unavailable') for a database that does not answer; the error of the driver is its cause. */
export function unreachable(error: unknown): Outage {
  return new Outage('The database cannot be reached', error)
}

/** Tells whether a database that could not be used may become available without a change of the configuration. */
export function mayComeBack(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'unavailable' && mayComeBack(error.cause)
  if (error instanceof AggregateError) return error.errors.some(mayComeBack)
  const refused = toDatabaseError(error)
  if (refused) return isAway(refused)
  if (!(error instanceof Error)) return false
  // Errors of sockets and name servers have `syscall`; without a code the driver reports a time-out or a broken connection.
  return 'syscall' in error || error.message.startsWith('Connection terminated')
}

const PROTOCOL_VIOLATION = '08P01'

// Too many connections, idle limits, no writes: a later attempt may succeed.
const AWAY = new Set(['53300', '25P03', '25P04', READ_ONLY])

/** Class 08 is about the connection; class 57 is what an operator does: shutdown, crash, start, but also cancelling. */
function isAway({ code }: DatabaseError): boolean {
  return (
    (code.startsWith('08') && code !== PROTOCOL_VIOLATION) ||
    (code.startsWith('57') && code !== QUERY_CANCELED) ||
    AWAY.has(code)
  )
}
