import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'
import { LOG_PARTS, type LogLevels, type LogPart } from './config/log-levels.ts'
import type { Config } from './config.ts'

/**
 * The log of the process, on standard error, so that standard output stays for people. An event is a constant message
 * with its facts beside it. Levels say who acts: error = someone must look, warn = someone should some day, info = what
 * happened, debug and trace = for whoever searches a fault. Secrets among the facts are masked by the names of their keys,
 * at any depth; what a child logger carries is fixed and holds none.
 */
export function createLogger(
  config: Pick<Config, 'logLevels' | 'logFormat'>,
  stream: DestinationStream = standardError(config),
): Logger {
  const log = pino(
    {
      level: config.logLevels.rest,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }), log: masked },
      serializers: { err: errorFacts },
    },
    stream,
  )
  loggersOfParts.set(log, new Map(LOG_PARTS.map((part) => [part, log.child({ part })])))
  setLogLevels(log, config.logLevels)
  return log
}

/** Makes the log of a command whose result is what people want to read. */
export function createCommandLogger({ logLevels, logFormat }: Pick<Config, 'logLevels' | 'logFormat'>): Logger {
  const rest = logLevels.rest === 'info' ? 'warn' : logLevels.rest
  return createLogger({ logLevels: { ...logLevels, rest }, logFormat })
}

/** The logger of a part of the program, which has a level of its own and says the part in each line. */
export function loggerOf(log: Logger, part: LogPart): Logger {
  return loggersOfParts.get(log)?.get(part) ?? log
}

/** From now on; children of these loggers that are there already keep the level that they were made with. */
export function setLogLevels(log: Logger, { rest, parts }: LogLevels): void {
  log.level = rest
  for (const [part, logger] of loggersOfParts.get(log) ?? []) logger.level = parts[part] ?? rest
}

/** Those of loggers that `createLogger` made. */
const loggersOfParts = new WeakMap<Logger, ReadonlyMap<LogPart, Logger>>()

/** A line of JSON from the log as a person on a terminal reads it. */
export function readableLine(line: string): string {
  const { level, time, msg, pid, hostname, err, ...facts } = JSON.parse(line)
  const shown = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const trace = err ? `\n  ${err.stack ?? err.message}` : ''
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${msg}${shown.join('')}${trace}\n`
}

function standardError({ logFormat }: Pick<Config, 'logFormat'>): DestinationStream {
  const out = oncePerTurn(destination({ fd: 2, sync: true }))
  const forPeople = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY)
  return forPeople ? { write: (line) => void out.write(readableLine(line)) } : out
}

/**
 * Writes the lines of one turn of the event loop together, which under load is a fifth of what a request costs. Nothing
 * is lost when the process ends itself, also after an uncaught error: the last lines before a crash are the ones that matter.
 */
function oncePerTurn(out: DestinationStream): DestinationStream {
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

/** A copy without secrets. Errors and other objects with a class are left to their serializers. */
function masked(facts: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, maskedValue(name, value, depth)]))
}

function maskedValue(name: string, value: unknown, depth: number): unknown {
  if (SECRET.test(name) && value !== null && value !== undefined && typeof value !== 'boolean') return '[secret]'
  if (Array.isArray(value)) return depth > DEPTH ? '[deep]' : value.map((part) => maskedValue('', part, depth + 1))
  if (!isPlain(value)) return value
  return depth > DEPTH ? '[deep]' : masked(value, depth + 1)
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Only what is needed to find the fault: a database error also carries the values of the row, which stay out of the log. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : errorFacts(error.cause)
  return { type: error.name, message: error.message, code, stack: error.stack, cause }
}
