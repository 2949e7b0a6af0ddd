import type { Logger } from 'pino'
import { listJobResults, listQueues } from './areas/server/index.ts'
import { type LogLevels, parseLogLevels } from './config/log-levels.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Around } from './directory/directories.ts'
import type { Metrics } from './http/metrics.ts'
import { listenForMetrics, mountMetrics } from './http/metrics-access.ts'
import { setLogLevels } from './log.ts'
import { setTracer, withSpan } from './tracing.ts'
import { version } from './version.ts'

/** What counts is loaded only where somebody reads it. */
export async function openMetrics(database: Database): Promise<Metrics> {
  const { createMetrics } = await import('./http/metrics.ts')
  return createMetrics(() => database.connections(), {
    version: version(),
    jobs: () => listJobResults(database.db),
    queues: () => listQueues(database.db),
  })
}

/** Serves them where the configuration says. */
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

/** What traces are made with is loaded only where somebody collects them. */
export async function traceWhereAsked(stack: AsyncDisposableStack, config: Config, log: Logger): Promise<void> {
  const { traceUrl: url, traceToken: token, tracePercent: percent } = config
  if (url === null) return
  const { openOtlp } = await import('./tracing/otlp.ts')
  setTracer(stack.use(openOtlp({ url, token, percent, version: version() }, log)))
  stack.defer(() => setTracer(null))
}

/** Every call of a directory as a span, and as an event for whoever searches a fault: never who or what was asked for. */
export function observeDirectories(log: Logger): Around {
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

/** What decides from which level on events are logged: the configuration, and before it a setting. */
export interface KeptLogLevels {
  configured(levels: LogLevels): void
  chosen(setting: string): void
}

/** Puts both into force whenever one of them changes. */
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

  /** A setting that an older version of the program left behind and that this one cannot read counts as none. */
  function apply(): void {
    setLogLevels(log, (text !== '' && parseLogLevels(text, base)) || base)
  }
}
