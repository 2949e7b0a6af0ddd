/** A template that cannot be compiled or rendered: where, and what was wrong, in words for its author. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** What was wrong, without the place. */
  readonly reason: string
  /** The line in the template, counted from 1; null where no place is known. */
  readonly line: number | null
  /** The snippets that led there, outermost first; empty in the template itself. */
  readonly snippets: readonly string[]
  /** Whether `rescue` has no say: a budget that is used up ends the rendering. */
  readonly isFinal: boolean

  constructor(reason: string, line: number | null = null, snippets: readonly string[] = [], isFinal = false) {
    super(`${place(line, snippets)}${reason}`)
    this.reason = reason
    this.line = line
    this.snippets = snippets
    this.isFinal = isFinal
  }
}

/** Stops the template with a reason; whoever runs the code knows the line and adds it (`locate`). */
export function fail(reason: string): never {
  throw new TemplateError(reason)
}

/** As `fail`, where a budget is used up. */
export function exhaust(reason: string): never {
  throw new TemplateError(reason, null, [], true)
}

/** Yields the failure with the place where it happened; a place that is known already stays. */
export function locate(error: unknown, line: number, snippets: readonly string[]): unknown {
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return new TemplateError('nested too deeply', line, snippets)
  if (!(error instanceof TemplateError) || error.line !== null) return error
  return new TemplateError(error.reason, line, snippets, error.isFinal)
}

function place(line: number | null, snippets: readonly string[]): string {
  const where = snippets.map((name) => `snippet '${name}'`)
  if (line !== null) where.push(`line ${line}`)
  return where.length === 0 ? '' : `${where.join(', ')}: `
}
