import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is known about the connections to the database when somebody asks; null for a database without a pool. */
export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** One answered request. The route is the template of its path, so that the number of series stays small. */
export interface AnsweredRequest {
  readonly method: string
  readonly route: string | null
  readonly status: number
  readonly seconds: number
}

export interface Metrics {
  readonly contentType: string
  observeRequest(request: AnsweredRequest): void
  countStatements(count: number): void
  /** Everything in the text format that Prometheus reads. */
  text(): Promise<string>
}

/** The metrics of this process, in a registry of their own. Made only where `/metrics` is served. */
export function createMetrics(pool: () => PoolState | null): Metrics {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'millwright_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const statements = new Counter({
    name: 'millwright_database_statements_total',
    help: 'Statements sent to the database.',
    registers: [registry],
  })
  registry.registerMetric(connectionGauge(pool))
  collectDefaultMetrics({ register: registry })

  return {
    contentType: registry.contentType,
    observeRequest: ({ method, route, status, seconds }) =>
      requests.observe({ method: METHODS.has(method) ? method : 'other', route: route ?? 'none', status }, seconds),
    countStatements: (count) => statements.inc(count),
    text: () => registry.metrics(),
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function connectionGauge(pool: () => PoolState | null): Gauge<'state'> {
  return new Gauge({
    name: 'millwright_database_connections',
    help: 'Connections to the database server; waiting counts the requests that want one.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const state = pool()
      if (state === null) return
      this.set({ state: 'idle' }, state.idle)
      this.set({ state: 'busy' }, state.total - state.idle)
      this.set({ state: 'waiting' }, state.waiting)
    },
  })
}
