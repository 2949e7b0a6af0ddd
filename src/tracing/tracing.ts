/**
 * Traces of requests, statements, directory calls and runs, for the collector that the configuration names. Without one
 * nothing is loaded and nothing recorded.
 */

/** Attributes of a span: texts and numbers by name. */
export type Facts = Readonly<Record<string, string | number>>

/** A traced piece of work, with a beginning and an end. */
export interface Span {
  /** Executes work inside of the span: spans that begin there become its children. */
  run<Result>(work: () => Result): Result
  end(facts?: Facts, failed?: boolean): void
}

/**
 * What is known of a span when it begins; `kind` says whether it answers a request, asks another server or does work
 * of its own.
 */
export interface Beginning {
  readonly name: string
  readonly kind: 'answers' | 'asks' | 'works'
  readonly facts?: Facts
  /** The parent if it is not the current span: a `traceparent` (W3C Trace Context). */
  readonly parent?: string | null
}

/** Begins the spans of this process. */
export interface Tracer {
  begin(beginning: Beginning): Span
  /** The `traceparent` of the current span. */
  current(): string | null
}

let tracer: Tracer | null = null

/** Sets the tracer of the process; null: nothing is traced. */
export function setTracer(chosen: Tracer | null): void {
  tracer = chosen
}

/** Begins a span that the caller has to end; null when nothing is traced. */
export function beginSpan(beginning: () => Beginning): Span | null {
  return tracer?.begin(beginning()) ?? null
}

/** The `traceparent` of the current span, to pass on to whoever continues its work; null when nothing is traced. */
export function readCurrentTrace(): string | null {
  return tracer?.current() ?? null
}

/** Executes work in a span of its own. A failure is recorded by its kind only, because messages may hold values. */
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
 * Executes work in a span if there is one around it: periodic look-ups of the service would make too many on their own.
 */
export function withInnerSpan<Result>(beginning: () => Beginning, work: () => Promise<Result>): Promise<Result> {
  return tracer?.current() ? withSpan(beginning, work) : work()
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
