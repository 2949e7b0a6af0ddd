/**
 * Where the configuration asks for it, work is told to whoever collects traces: a request, its statements, the directories
 * that it asks, the run that it has done. Nothing is loaded and nothing is made where it does not.
 */
export type Facts = Readonly<Record<string, string | number>>

/** A piece of work with a beginning and an end. */
export interface Span {
  /** Does work inside of it: what begins there is below it. */
  run<Result>(work: () => Result): Result
  end(facts?: Facts, failed?: boolean): void
}

export interface Beginning {
  readonly name: string
  readonly kind: 'answers' | 'asks' | 'works'
  readonly facts?: Facts
  /** Where it belongs when that is not the work around it: a `traceparent` (W3C Trace Context). */
  readonly parent?: string | null
}

export interface Tracer {
  begin(beginning: Beginning): Span
  /** The `traceparent` of the work that runs now. */
  current(): string | null
}

let tracer: Tracer | null = null

/** From now on, in the whole process; null: nothing is traced. */
export function setTracer(chosen: Tracer | null): void {
  tracer = chosen
}

/** A span that somebody ends; null where nothing is traced. */
export function beginSpan(beginning: () => Beginning): Span | null {
  return tracer?.begin(beginning()) ?? null
}

/** The `traceparent` of the work that runs now, to be given to whoever goes on with it; null where nothing is traced. */
export function currentTrace(): string | null {
  return tracer?.current() ?? null
}

/** Does work in a span of its own. Of what fails only the kind of the failure is told: messages may hold values. */
export async function withSpan<Result>(beginning: () => Beginning, work: () => Promise<Result>): Promise<Result> {
  const span = beginSpan(beginning)
  if (!span) return work()
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({ 'error.type': kindOf(error) }, true)
    throw error
  }
}

/**
 * Does the work in a span where another span is around it, and without one elsewhere: what the service looks at again and
 * again would make many.
 */
export function withInnerSpan<Result>(beginning: () => Beginning, work: () => Promise<Result>): Promise<Result> {
  return tracer?.current() ? withSpan(beginning, work) : work()
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
