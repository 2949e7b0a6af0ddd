/** From the loudest wish for quiet to the smallest event. */
export const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type Level = (typeof LEVELS)[number]

/** Parts of the program whose events may be logged from another level on than the rest. */
export const LOG_PARTS = ['database', 'directory', 'http', 'jobs', 'login', 'runs', 'tasks'] as const
export type LogPart = (typeof LOG_PARTS)[number]

export interface LogLevels {
  readonly rest: Level
  /** Those parts that differ from the rest. */
  readonly parts: Readonly<Partial<Record<LogPart, Level>>>
}

/** How levels are written. */
export const LOG_LEVELS_FORM = `one of ${LEVELS.join(', ')}, and for parts alone as in info,directory=debug (${LOG_PARTS.join(', ')})`

/** Null where it is not of that form. What is not said of the rest is as in `otherwise`. */
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

/** Nothing is logged. */
export const SILENT: LogLevels = { rest: 'silent', parts: {} }
