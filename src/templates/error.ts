/** An error in a template, with its place and a reason for the author of the template. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** The reason, without the place. */
  readonly reason: string
  /** The line in the template, counted from 1; null where it is unknown. */
  readonly line: number | null
  /** The snippets around the place, outermost first; empty in the template itself. */
  readonly snippets: readonly string[]
  /** Whether `rescue` cannot catch it: an exhausted budget ends the rendering. */
  readonly isFinal: boolean

  constructor(reason: string, line: number | null = null, snippets: readonly string[] = [], isFinal = false) {
    super(`${formatPlace(line, snippets)}${reason}`)
    this.reason = reason
    this.line = line
    this.snippets = snippets
    this.isFinal = isFinal
  }
}

/** Throws an error with a reason; the code that runs statements adds the line (`locate`). */
export function fail(reason: string): never {
  throw new TemplateError(reason)
}

/** Throws the error of an exhausted budget. */
export function exhaust(reason: string): never {
  throw new TemplateError(reason, null, [], true)
}

/** Adds the place to an error that does not have one yet. */
export function locate(error: unknown, line: number, snippets: readonly string[]): unknown {
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return new TemplateError('nested too deeply', line, snippets)
  if (!(error instanceof TemplateError) || error.line !== null) return error
  return new TemplateError(error.reason, line, snippets, error.isFinal)
}

function formatPlace(line: number | null, snippets: readonly string[]): string {
  const where = snippets.map((name) => `snippet '${name}'`)
  if (line !== null) where.push(`line ${line}`)
  return where.length === 0 ? '' : `${where.join(', ')}: `
}
