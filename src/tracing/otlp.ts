import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Beginning, Tracer } from './tracing.ts'

/** Where traces are sent, and of how many requests. */
export interface TracingOptions {
  /** The address of the collector, without the path for traces. */
  readonly url: string
  readonly token: string | null
  /** The percentage of requests to trace, among those whose client has not decided. */
  readonly percent: number
  readonly version: string
}

const DELAY_MS = 1000
const PATIENCE_MS = 2000

/** Sends spans to a collector as OTLP over HTTP, in batches. Disposing sends the last batch. */
export function openOtlp(options: TracingOptions, log: Logger): Tracer & AsyncDisposable {
  const { url, token, percent, version } = options
  const exporter = new OTLPTraceExporter({
    url: `${url.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: PATIENCE_MS,
    ...(token !== null && { headers: { authorization: `Bearer ${token}` } }),
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'millwright',
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: withOneLinePerOutage(exporter, log), scheduledDelayMillis: DELAY_MS }),
    ],
  })
  const spans = provider.getTracer('millwright', version)
  const around = new AsyncLocalStorage<Context>()
  return {
    begin(beginning) {
      const { name, kind, facts } = beginning
      const outer = contextOf(beginning, around.getStore())
      const span = spans.startSpan(name, { kind: KINDS[kind], ...(facts && { attributes: facts }) }, outer)
      const inner = trace.setSpan(outer, span)
      return {
        run: (work) => around.run(inner, work),
        end(ended = {}, failed = false) {
          span.setAttributes(ended)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    current() {
      const context = trace.getSpanContext(around.getStore() ?? ROOT_CONTEXT)
      if (!context) return null
      return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`
    },
    // A collector that does not answer must not delay the stop.
    [Symbol.asyncDispose]: () => Promise.race([provider.shutdown(), sleep(PATIENCE_MS, undefined, { ref: false })]),
  }
}

const KINDS: Readonly<Record<Beginning['kind'], SpanKind>> = {
  answers: SpanKind.SERVER,
  asks: SpanKind.CLIENT,
  works: SpanKind.INTERNAL,
}

/**
 * Yields the parent of a span: that of the caller's trace header if it is well-formed, otherwise the span of the work
 * around.
 */
function contextOf({ parent }: Beginning, around: Context = ROOT_CONTEXT): Context {
  const named = parent ? parseTraceParent(parent) : null
  return named ? trace.setSpanContext(ROOT_CONTEXT, { ...named, isRemote: true }) : around
}

/** Logs one line for each outage of the collector, during which spans are lost. */
function withOneLinePerOutage(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  let away = false
  return {
    export(batch, done) {
      exporter.export(batch, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !away) log.warn({ reason: result.error?.message }, 'traces cannot be delivered')
        if (!failed && away) log.info('traces are delivered again')
        away = failed
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}
