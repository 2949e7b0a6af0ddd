import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { DirectoryState } from '../../directory/directories.ts'

/** How many connections a pool has, how many of them nobody uses, and how many requests wait for one. */
export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** An answered request. Its route is the template of a path (null for an unknown one), so that there are few time series. */
export interface AnsweredRequest {
  readonly method: string
  readonly route: string | null
  readonly status: number
  readonly seconds: number
  /** The number of its statements, and the seconds that they took together. */
  readonly statements: number
  readonly databaseSeconds: number
}

/** The result of a job's last execution, and when that ended, in seconds since 1970. */
interface JobResult {
  readonly name: string
  readonly failed: boolean
  readonly endedAt: number
}

/** The entries of a queue in the database; `oldest` is the seconds that the first of those that could begin has waited. */
interface QueueState {
  readonly name: string
  readonly waiting: number
  readonly running: number
  readonly oldest: number
}

/** Functions that yield the state of the service when metrics are read. */
export interface MetricSources {
  readonly version?: string
  readonly jobs?: () => Promise<readonly JobResult[]>
  readonly queues?: () => Promise<readonly QueueState[]>
}

/** Functions that yield state which exists only once the API is built. */
export interface ApiSources {
  readonly cache: () => { readonly hits: number; readonly misses: number }
  readonly directories: () => readonly DirectoryState[]
}

/** The metrics of the process. */
export interface Metrics {
  readonly contentType: string
  observeRequest(request: AnsweredRequest): void
  /** Counts an authentication, by method and result: each has few values, so that there are few time series. */
  countLogin(method: string, result: string): void
  /** Adds the metrics of the API, once it is built. */
  watch(sources: ApiSources): void
  /** Formats all metrics for Prometheus. */
  text(): Promise<string>
}

/**
 * Creates the metrics of this process in a registry of its own, for a process that serves `/metrics`. `pool` yields null
 * for a database without a pool of connections.
 */
export function createMetrics(
  pool: () => PoolState | null,
  { version = 'unknown', jobs = async () => [], queues = async () => [] }: MetricSources = {},
): Metrics {
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
    help: 'Statements that requests sent to the database.',
    labelNames: ['method', 'route'],
    registers: [registry],
  })
  const databaseSeconds = new Counter({
    name: 'millwright_database_seconds_total',
    help: 'Time that requests waited for their statements.',
    labelNames: ['method', 'route'],
    registers: [registry],
  })
  registry.registerMetric(createConnectionGauge(pool))
  const logins = new Counter({
    name: 'millwright_logins_total',
    help: 'Requests that said who they are, by how they did and whether that was believed; what is remembered counts too.',
    labelNames: ['method', 'result'],
    registers: [registry],
  })
  new Gauge({
    name: 'millwright_build_info',
    help: 'Always 1; the version of the program and of Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1)
  for (const gauge of [...createJobGauges(jobs), ...createQueueGauges(queues)]) registry.registerMetric(gauge)
  collectDefaultMetrics({ register: registry })

  return {
    contentType: registry.contentType,
    observeRequest({ status, seconds, ...request }) {
      const where = { method: METHODS.has(request.method) ? request.method : 'other', route: request.route ?? 'none' }
      requests.observe({ ...where, status }, seconds)
      statements.inc(where, request.statements)
      databaseSeconds.inc(where, request.databaseSeconds)
    },
    countLogin: (method, result) => logins.inc({ method, result }),
    watch: (sources) => {
      const { cache, directories, directoryConnections } = createApiMetrics(sources)
      registry.registerMetric(cache)
      registry.registerMetric(directories)
      registry.registerMetric(directoryConnections)
    },
    text: () => registry.metrics(),
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function createConnectionGauge(pool: () => PoolState | null): Gauge<'state'> {
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

/** Creates gauges about jobs, which have no values while the database is unreachable; all other metrics are still served. */
function createJobGauges(results: () => Promise<readonly JobResult[]>): Gauge<'job'>[] {
  const loadJobs = () => results().catch(() => [])
  return [
    createGauge(
      'millwright_job_last_end_timestamp_seconds',
      'When a job ended last, on any process.',
      ['job'],
      async (set) => {
        for (const { name, endedAt } of await loadJobs()) set({ job: name }, endedAt)
      },
    ),
    createGauge(
      'millwright_job_last_failed',
      'Whether a job failed the last time, on any process.',
      ['job'],
      async (set) => {
        for (const { name, failed } of await loadJobs()) set({ job: name }, Number(failed))
      },
    ),
  ]
}

function createQueueGauges(queues: () => Promise<readonly QueueState[]>) {
  const loadQueues = () => queues().catch(() => [])
  return [
    createGauge(
      'millwright_queue_length',
      'Work that waits or is being done, on any process.',
      ['queue', 'state'],
      async (set) => {
        for (const { name, waiting, running } of await loadQueues()) {
          set({ queue: name, state: 'waiting' }, waiting)
          set({ queue: name, state: 'running' }, running)
        }
      },
    ),
    createGauge(
      'millwright_queue_oldest_seconds',
      'How long the oldest has been waiting that could have begun.',
      ['queue'],
      async (set) => {
        for (const { name, oldest } of await loadQueues()) set({ queue: name }, oldest)
      },
    ),
  ]
}

function createApiMetrics({ cache, directories }: ApiSources) {
  return {
    cache: new Counter({
      name: 'millwright_identity_cache_uses_total',
      help: 'How often an identity was known (hit) or had to be found out (miss).',
      labelNames: ['result'],
      registers: [],
      collect() {
        const { hits, misses } = cache()
        this.reset()
        this.inc({ result: 'hit' }, hits)
        this.inc({ result: 'miss' }, misses)
      },
    }),
    directories: createGauge(
      'millwright_directory_up',
      'Whether a directory answered the last time; of those that this process asked lately.',
      ['source'],
      async (set) => {
        for (const { id, isAway } of directories()) set({ source: String(id) }, Number(!isAway))
      },
    ),
    directoryConnections: createGauge(
      'millwright_directory_connections',
      'Connections to a directory that this process asked lately; waiting counts the calls that want one.',
      ['source', 'state'],
      async (set) => {
        for (const { id, connections } of directories())
          for (const [state, count] of Object.entries(connections)) set({ source: String(id), state }, count)
      },
    ),
  }
}

/** Creates a gauge whose values are computed whenever it is read; values that are not set again are dropped. */
function createGauge<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  find: (set: (labels: Record<Label, string>, value: number) => void) => Promise<void>,
): Gauge<Label> {
  return new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    async collect() {
      this.reset()
      await find((labels, value) => this.set(labels, value))
    },
  })
}
