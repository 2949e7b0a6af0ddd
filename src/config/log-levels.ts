/** The levels from quiet to detailed. */
const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** A log level. */
export type Level = (typeof LEVELS)[number]

/** The parts of the program whose log level can be set separately. */
export const LOG_PARTS = ['database', 'directory', 'events', 'http', 'jobs', 'login', 'runs', 'tasks'] as const

/** A part of the program with a log level of its own. */
export type LogPart = (typeof LOG_PARTS)[number]

/** The log levels of the program. */
export interface LogLevels {
  readonly rest: Level
  /** The levels of the parts that differ from the rest. */
  readonly parts: Readonly<Partial<Record<LogPart, Level>>>
}

/** Describes the form of the setting, for messages and help. */
export const LOG_LEVELS_FORM = `one of ${LEVELS.join(', ')}, and for parts alone as in info,directory=debug (${LOG_PARTS.join(', ')})`

/** Parses log levels; null for a malformed text. What the text does not mention comes from `otherwise`. */
export function parseLogLevels(text: string, otherwise: LogLevels = { rest: 'info', parts: {} }): LogLevels | null {
  let { rest, parts } = otherwise
  for (const word of text.split(/\s*,\s*/)) {
    const [left = '', right, ...more] = word.split('=')
    if (more.length > 0) return null
    if (right === undefined && isLevel(left)) rest = left
    else if (right !== undefined && isPart(left) && isLevel(right)) parts = { ...parts, [left]: right }
    else return null
  }
  return { rest, parts }
}

function isLevel(word: string): word is Level {
  return (LEVELS as readonly string[]).includes(word)
}

function isPart(word: string): word is LogPart {
  return (LOG_PARTS as readonly string[]).includes(word)
}

/** Logs nothing. */
export const SILENT: LogLevels = { rest: 'silent', parts: {} }
