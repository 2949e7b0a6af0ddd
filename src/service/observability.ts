import type { Logger } from 'pino'
import { listJobResults, listQueues } from '../areas/server/index.ts'
import type { Config } from '../config/config.ts'
import { type LogLevels, parseLogLevels } from '../config/log-levels.ts'
import type { Database } from '../database/database.ts'
import type { CallObserver } from '../directory/directories.ts'
import type { Metrics } from '../http/listeners/metrics.ts'
import { listenForMetrics, mountMetrics } from '../http/listeners/metrics-access.ts'
import { setLogLevels } from '../log.ts'
import { setTracer, withSpan } from '../tracing/tracing.ts'
import { readVersion } from '../version.ts'

/** Opens the metrics. The library that counts is loaded here, so that a service without metrics does without it. */
export async function openMetrics(database: Database): Promise<Metrics> {
  const { createMetrics } = await import('../http/listeners/metrics.ts')
  return createMetrics(() => database.connections(), {
    version: readVersion(),
    jobs: () => listJobResults(database.db),
    queues: () => listQueues(database.db),
  })
}

/** Serves the metrics as configured: on the server itself for clients with the token, on a listener of their own, or both. */
export async function exposeMetrics(
  stack: AsyncDisposableStack,
  server: Parameters<typeof mountMetrics>[0],
  metrics: Metrics,
  { host, metricsPort, metricsToken }: Config,
): Promise<void> {
  if (metricsToken !== null) mountMetrics(server, metrics, metricsToken)
  if (metricsPort === null) return
  const listener = await listenForMetrics(metrics, host, metricsPort)
  stack.defer(() => void listener.close())
}

/** Sends traces to the collector, if one is configured; only then the library for traces is loaded. */
export async function traceWhereAsked(stack: AsyncDisposableStack, config: Config, log: Logger): Promise<void> {
  const { traceUrl: url, traceToken: token, tracePercent: percent } = config
  if (url === null) return
  const { openOtlp } = await import('../tracing/otlp.ts')
  setTracer(stack.use(openOtlp({ url, token, percent, version: readVersion() }, log)))
  stack.defer(() => setTracer(null))
}

/** Records every call of a directory as a span and a debug event, without the name of who or what was asked for. */
export function observeDirectories(log: Logger): CallObserver {
  return async (source, call, work) => {
    const start = performance.now()
    let failed = true
    try {
      const facts = { 'millwright.source': source }
      const result = await withSpan(() => ({ name: `directory ${call}`, kind: 'asks', facts }), work)
      failed = false
      return result
    } finally {
      log.debug({ source, call, milliseconds: Math.round(performance.now() - start), failed }, 'directory asked')
    }
  }
}

/** The two sources of log levels: the configuration, and a setting, which goes first. */
export interface KeptLogLevels {
  configured(levels: LogLevels): void
  chosen(setting: string): void
}

/** Applies the log levels whenever one of their sources changes. */
export function keepLogLevels(log: Logger, levels: LogLevels): KeptLogLevels {
  let text = ''
  let base = levels
  return {
    configured(changed) {
      base = changed
      apply()
    },
    chosen(setting) {
      if (setting === text) return
      text = setting
      apply()
    },
  }

  /** A stored setting that this version cannot read is ignored. */
  function apply(): void {
    setLogLevels(log, (text !== '' && parseLogLevels(text, base)) || base)
  }
}
