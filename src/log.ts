import { type DestinationStream, destination, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config/config.ts'
import { LOG_PARTS, type LogLevels, type LogPart } from './config/log-levels.ts'
import { Outage } from './database/failures.ts'

/**
 * Creates the log of the process, on standard error; standard output is for people. An event is a constant message with
 * facts beside it. Levels: error = someone must look, warn = someone should look some day, info = what happened, debug
 * and trace = for finding faults. Secrets are masked by the names of their keys, at any depth, but not in the fixed
 * facts of child loggers, which must hold none.
 */
export function createLogger(
  config: Pick<Config, 'logLevels' | 'logFormat'>,
  stream: DestinationStream = openStandardError(config),
): Logger {
  const log = pino(
    {
      level: config.logLevels.rest,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }), log: maskSecrets },
      serializers: { err: pickErrorFacts },
      hooks: { logMethod: logOncePerOutage },
    },
    stream,
  )
  loggersOfParts.set(log, new Map(LOG_PARTS.map((part) => [part, log.child({ part })])))
  setLogLevels(log, config.logLevels)
  return log
}

/** Creates the log of a command whose output is meant for people: the level info counts as warn, for all but single parts. */
export function createCommandLogger({ logLevels, logFormat }: Pick<Config, 'logLevels' | 'logFormat'>): Logger {
  const rest = logLevels.rest === 'info' ? 'warn' : logLevels.rest
  return createLogger({ logLevels: { ...logLevels, rest }, logFormat })
}

/** Yields the logger of a part of the program, with a level of its own and the part's name in each line. */
export function loggerOf(log: Logger, part: LogPart): Logger {
  return loggersOfParts.get(log)?.get(part) ?? log
}

/** Changes the levels from now on; existing children of these loggers keep the level they were made with. */
export function setLogLevels(log: Logger, { rest, parts }: LogLevels): void {
  log.level = rest
  for (const [part, logger] of loggersOfParts.get(log) ?? []) logger.level = parts[part] ?? rest
}

/** Lowers events about an outage of the database to debug: it was logged once, and every request would repeat it. */
function logOncePerOutage(this: Logger, given: Parameters<LogFn>, method: LogFn, level: number): void {
  const [facts] = given
  const isTold = typeof facts === 'object' && facts !== null && 'err' in facts && isOfOutage(facts.err)
  if (!isTold || level <= DEBUG) method.apply(this, given)
  else this.debug(...given)
}

function isOfOutage(error: unknown): boolean {
  return error instanceof Outage || (error instanceof Error && isOfOutage(error.cause))
}

const DEBUG = 20

/** The loggers of parts that belong to a logger of `createLogger`. */
const loggersOfParts = new WeakMap<Logger, ReadonlyMap<LogPart, Logger>>()

/** Formats a line of the JSON log for a terminal. */
export function formatReadableLine(line: string): string {
  const { level, time, msg, pid, hostname, err, ...facts } = JSON.parse(line)
  const shown = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const trace = err ? `\n  ${err.stack ?? err.message}` : ''
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg}${shown.join('')}${trace}\n`
}

function openStandardError({ logFormat }: Pick<Config, 'logFormat'>): DestinationStream {
  const out = createTurnBuffer(destination({ fd: 2, sync: true }))
  const forPeople = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY)
  return forPeople ? { write: (line) => void out.write(formatReadableLine(line)) } : out
}

/**
 * Collects the lines of one turn of the event loop and writes them together: under load, writing each is a fifth of the
 * cost of a request. Nothing is lost when the process ends, also after an uncaught error.
 */
function createTurnBuffer(out: DestinationStream): DestinationStream {
  let lines = ''
  const flush = () => {
    if (lines !== '') out.write(lines)
    lines = ''
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}

const SECRET = /passw|passphrase|token|secret|authorization|cookie|credential|private_?key|csrf|database_?url/i
const DEPTH = 8

/** Copies facts and masks secrets. Errors and other class instances are left to their serializers. */
function maskSecrets(facts: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, maskValue(name, value, depth)]))
}

function maskValue(name: string, value: unknown, depth: number): unknown {
  if (SECRET.test(name) && value !== null && value !== undefined && typeof value !== 'boolean') return '[secret]'
  if (Array.isArray(value)) return depth > DEPTH ? '[deep]' : value.map((part) => maskValue('', part, depth + 1))
  if (!isPlain(value)) return value
  return depth > DEPTH ? '[deep]' : maskSecrets(value, depth + 1)
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Picks the facts that help to find a fault. A database error also carries values of the row, which must not be logged.
 */
function pickErrorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : pickErrorFacts(error.cause)
  return { type: error.name, message: error.message, code, stack: error.stack, cause }
}
