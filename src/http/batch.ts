import createRouter from 'find-my-way'
import { z } from 'zod'
import { type Context, inTransaction } from '../context.ts'
import { foldChanges } from '../database/fold-changes.ts'
import { inSavepoint } from '../database/savepoints.ts'
import { doTogether } from '../database/together.ts'
import { badParameter, Failure } from '../errors.ts'
import { requireAccess } from '../kernel/authorize.ts'
import type { Input, Registry } from '../kernel/definition.ts'
import type { Answer } from '../kernel/facts.ts'
import { prefers } from '../kernel/prefer.ts'
import type { Sent } from '../kernel/record.ts'
import type { Route } from '../kernel/route.ts'
import { type Surface, surfaceOf } from '../kernel/surface.ts'
import { isMembers } from '../values.ts'
import type { Part, PartedRoute } from './deferred.ts'
import { withDenialEvents } from './denials.ts'
import { isFault, toErrorAnswer } from './errors.ts'
import { canonicalizePath } from './paths.ts'
import { resolveScope } from './scope.ts'
import { concernsOthers, createRun, listSeries, Written } from './written.ts'

const MOST_OPERATIONS = 10_000
/** The number of failures after which no more are listed. */
const MOST_FAILURES = 100
/**
 * The number of writes from which change lines are folded at once. Folding only keeps reads fast, so that its failure does
 * not fail the writes.
 */
const WRITES_TO_FOLD = 64
const FOLD_FAILED = 'folding change lines failed'
const BODY_LIMIT = 16 * 1024 * 1024

const operation = z.object({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).meta({ description: 'POST, PUT, PATCH or DELETE.' }),
  path: z.string().meta({ description: 'Path with query, as of a request of its own.', examples: ['/api/hosts'] }),
  body: z.unknown().optional().meta({ description: 'Its body.' }),
})
const outcome = z.object({
  status: z.int().meta({ description: 'The status that a request of its own would have got.' }),
  body: z.unknown().optional().meta({ description: 'Its answer; absent with `Prefer: return=minimal`.' }),
})
const outcomes = z.array(outcome).meta({
  description:
    'Results of the operations, in their order. Operations without a result were not tried, because too many before them failed, or the service itself did.',
})

type Operation = z.infer<typeof operation>
type Outcome = z.infer<typeof outcome>

/** What a batch needs besides the routes that it may call. */
interface BatchOptions {
  readonly registry: Registry
  /** Called with each route whose writes were stored, as after single requests. */
  readonly afterWrite: (route: Route) => Promise<void>
}

/**
 * Builds the route for many writes in one transaction: all of them are stored or none. Each counts as a request of its own
 * for permissions, scope, rules and audits, and sees what the ones before it wrote. With `atomic: false` each has a
 * transaction of its own, and a refused one does not affect the others.
 */
export function batchRoute(routes: readonly Route[], options: BatchOptions): PartedRoute {
  // Built for the first batch: this takes as long as building all routes of the listener.
  let router: Find | undefined
  const find: Find = (method, path) => {
    router ??= createFinder(routes.filter((route) => route.method !== 'GET'))
    return router(method, path)
  }
  return {
    method: 'POST',
    path: '/api/batch',
    id: 'batch.create',
    group: 'batch',
    summary: 'Do many writes at once: all of them or none, or all that can be done',
    alone: true,
    long: true,
    access: { kind: 'login' },
    bodyLimit: BODY_LIMIT,
    body: z.object({
      operations: z.array(operation).meta({ description: `At most ${MOST_OPERATIONS}, done in this order.` }),
      atomic: z.boolean().optional().meta({
        description: 'False: what is refused is left out, and the rest is stored. True, as without it: all or none.',
      }),
    }),
    answers: {
      200: z.object({ results: outcomes }),
      422: z.object({
        error: z
          .object({ message: z.string().meta({ description: 'Number of failed operations.' }) })
          .meta({ description: 'The error.' }),
        results: outcomes,
      }),
    },
    handle: (ctx, input) => runBatch(ctx, input, find, options),
    parts: (input) => partsOf(input, find, options),
  }
}

/**
 * Yields the operations of a batch that is not atomic, each of which is stored or refused by itself; null for an atomic one.
 */
function partsOf(input: Input, find: Find, options: BatchOptions): readonly Part[] | null {
  const operations = readOperations(input.body)
  if (readAtomic(input.body)) return null
  const minimal = prefers(input, 'return=minimal')
  const whole = { headers: input.headers ?? {}, ...(minimal && { reading: null }) }
  return operations.map((one) => ({
    surface: surfaceOf(one.path),
    run: async (tx) => {
      const written = new Map<string, Route>()
      const result = await run(tx, one, find, options.registry, whole, written)
      for (const route of written.values()) tx.afterCommit(() => options.afterWrite(route))
      return shorten(result, minimal)
    },
  }))
}

function shorten(result: Outcome, minimal: boolean): Outcome {
  return minimal && result.status < 400 ? { status: result.status } : result
}

interface Found {
  readonly route: Route
  readonly params: Input['params']
}

type Find = (method: string, path: string) => Found | undefined

function createFinder(routes: readonly Route[]): Find {
  const router = createRouter({ maxParamLength: 1000 })
  for (const route of routes) {
    const methods = route.method === 'PUT' ? ['PUT' as const, 'PATCH' as const] : [route.method]
    for (const method of methods) router.on(method, route.path, () => undefined, route)
  }
  return (method, path) => {
    const found = router.find(method as 'POST', path) // the schema only allows HTTP methods
    return found ? { route: found.store as Route, params: found.params as Found['params'] } : undefined // as it was stored above
  }
}

async function runBatch(ctx: Context, input: Input, find: Find, options: BatchOptions): Promise<Answer> {
  const operations = readOperations(input.body)
  const isAtomic = readAtomic(input.body)
  const written = new Map<string, Route>()
  const minimal = prefers(input, 'return=minimal')
  const headers = input.headers ?? {}
  const work: Work = {
    operations,
    run: (tx, one, reading, isTried) => {
      const whole = { headers, ...(minimal ? { reading: null } : reading && { reading }) }
      return run(tx, one, find, options.registry, whole, written, isTried)
    },
    isPlain: (one) => isPlain(one, find, options.registry),
    shorten: (result) => shorten(result, minimal),
  }
  const { results, failures } = await (isAtomic ? storeAll(ctx, work) : storeEach(ctx, work))
  if (isAtomic && failures > 0) {
    const rest = operations.length - results.length
    const message = `Nothing was stored: ${failures} of ${operations.length} operations failed${rest > 0 ? `, and ${rest} were not tried` : ''}`
    return { status: 422, body: { error: { message }, results } }
  }
  if (ctx.db.isTransaction) for (const route of written.values()) ctx.afterCommit(() => options.afterWrite(route))
  else await announceWrites(ctx, [...written.values()], results.length, options)
  return {
    status: 200,
    body: { results },
    ...(minimal && { headers: { 'preference-applied': 'return=minimal' } }),
  }
}

/** Does what follows once the writes are committed. */
async function announceWrites(
  ctx: Context,
  written: readonly Route[],
  operations: number,
  options: BatchOptions,
): Promise<void> {
  for (const route of written) await options.afterWrite(route)
  // Each write has left change lines, which the next lists would have to add up.
  if (operations >= WRITES_TO_FOLD) await foldChanges(ctx.db).catch((err) => ctx.log.warn({ err }, FOLD_FAILED))
}

interface Work {
  readonly operations: readonly Operation[]
  /**
   * With `isTried`, a missing permission is not logged: a series that fails is done again one by one, and that is
   * logged.
   */
  readonly run: (tx: Context, one: Operation, reading?: Input['reading'], isTried?: boolean) => Promise<Outcome>
  /** Whether it writes one record, and nothing that others of its kind, or the rights of the caller, depend on. */
  readonly isPlain: (one: Operation) => boolean
  readonly shorten: (result: Outcome) => Outcome
}

interface Done {
  readonly results: readonly Outcome[]
  readonly failures: number
}

/** Stores what all operations write, or nothing. */
async function storeAll(ctx: Context, work: Work): Promise<Done> {
  const { operations, run: runOne, shorten } = work
  const results: Outcome[] = []
  let failures = 0
  try {
    await inTransaction(ctx, async (tx) => {
      for (const series of listSeries(operations)) {
        const done = failures === 0 && series.length > 1 && (await storeTogether(tx, series, work))
        if (done) {
          results.push(...done.map(shorten))
          continue
        }
        const run = createRun()
        for (const one of series) {
          await run.endBefore(one)
          const result = await tryOperation(tx, () => runOne(tx, one, run.reading), surfaceOf(one.path))
          failures += result.status >= 400 ? 1 : 0
          results.push(shorten(result))
          if (failures === MOST_FAILURES) break
        }
        await run.end()
        if (failures === MOST_FAILURES) break
      }
      if (failures > 0) throw new Refused()
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  return { results: results.map(fillIn), failures }
}

/**
 * Stores what a series of operations writes; look-ups, checks, audits and reading are done for all of them together.
 * Null when one of them is refused: nothing is stored then, and doing them one by one yields the reasons.
 */
async function storeTogether(
  tx: Context,
  series: readonly Operation[],
  { isPlain, run }: Work,
): Promise<Outcome[] | null> {
  if (!series.every(isPlain)) return null
  const effects: (() => void)[] = []
  const trying: Context = {
    ...tx,
    afterCommit: (effect) => void effects.push(() => tx.afterCommit(effect)),
    warn: (sentence) => void effects.push(() => tx.warn?.(sentence)),
  }
  const reading = createRun()
  const done = await doTogether(tx.db, async () => {
    const results: Outcome[] = []
    for (const one of series) {
      await reading.endBefore(one)
      results.push(await run(trying, one, reading.reading, true))
    }
    return results
  })
  if (done) await reading.end()
  for (const effect of done ? effects : []) effect()
  return done
}

/** Fills an outcome with the record as it was read at the end. */
function fillIn({ status, body }: Outcome): Outcome {
  return body === undefined ? { status } : { status, body: body instanceof Written ? body.shown : body }
}

/**
 * Stores the writes of each operation that is not refused, each in a transaction of its own, so that effects of a refused
 * one never happen. A fault ends the batch and is its last result; the operations before it are stored.
 */
async function storeEach(ctx: Context, { operations, run: runOne, shorten }: Work): Promise<Done> {
  const results: Outcome[] = []
  let failures = 0
  for (const one of operations) {
    try {
      results.push(shorten(await inTransaction(ctx, (tx) => runOne(tx, one))))
    } catch (error) {
      failures++
      const { status, body } = toErrorAnswer(error, surfaceOf(one.path))
      results.push({ status, body })
      if (!isFault(error)) continue
      ctx.log.error({ err: error, requestId: ctx.origin.requestId, method: one.method }, 'operation of a batch failed')
      break
    }
  }
  return { results, failures }
}

/** Rolls a transaction back. */
class Refused extends Error {}

/** {@throws Failure} bad_parameter */
function readAtomic({ atomic = true }: Sent): boolean {
  if (typeof atomic !== 'boolean') throw badParameter('atomic', atomic, 'must be true or false')
  return atomic
}

/** {@throws Failure} bad_parameter naming the first malformed operation */
function readOperations({ operations }: Sent): readonly Operation[] {
  if (!Array.isArray(operations) || operations.length === 0)
    throw badParameter('operations', operations, 'must be a list of at least one operation')
  if (operations.length > MOST_OPERATIONS)
    throw badParameter('operations', operations.length, `must be at most ${MOST_OPERATIONS} operations`)
  return operations.map((sent: unknown, index) => {
    const parsed = operation.safeParse(sent)
    if (parsed.success) return parsed.data
    const allowed = 'must be an object with a method (POST, PUT, PATCH or DELETE), a path, and maybe a body'
    // The body is left out, because it may contain secrets.
    const shown = isMembers(sent) ? { method: sent.method, path: sent.path } : sent
    throw badParameter(`operations[${index}]`, shown, allowed)
  })
}

/**
 * Runs an operation in a savepoint: a refused one is undone alone, and the following ones are tried as well. Faults of
 * the service end the batch.
 */
async function tryOperation(tx: Context, work: () => Promise<Outcome>, surface: Surface): Promise<Outcome> {
  try {
    return await inSavepoint(tx.db, work)
  } catch (error) {
    if (isFault(error)) throw error
    const { status, body } = toErrorAnswer(error, surface)
    return { status, body }
  }
}

/** Runs one operation: the steps that every request takes from the routing on (core-api §1.1). */
async function run(
  tx: Context,
  { method, path, body }: Operation,
  find: Find,
  registry: Registry,
  whole: Pick<Input, 'headers' | 'reading'>,
  written: Map<string, Route>,
  isTried = false,
): Promise<Outcome> {
  const found = findRoute({ method, path }, find)
  if (!found) throw new Failure('unroutable', 'Not Found')
  const { route, params, url } = found
  if (route.alone)
    throw badParameter(
      'path',
      path,
      'must be a request of its own: it is about a login, registers a host, or asks other machines',
    )
  const sent = isMembers(body) ? body : {}
  const own = queryOf(url.searchParams)
  const query = route.method === 'DELETE' ? { ...sent, ...own } : own
  const { scope } = await resolveScope(tx, registry, { ...sent, ...query, ...params }, tx.scope)
  const ctx = { ...tx, scope }
  const handle = () => {
    requireAccess(ctx, route.access)
    written.set(route.group, route)
    return route.handle(ctx, { ...whole, params, query, body: sent })
  }
  const answer = await (isTried ? handle() : withDenialEvents(ctx, route, handle))
  return answer.body === undefined ? { status: answer.status } : { status: answer.status, body: answer.body }
}

function findRoute({ method, path }: Pick<Operation, 'method' | 'path'>, find: Find) {
  if (!/^(?:\/content)?\/api\//.test(path)) return undefined
  const url = new URL(canonicalizePath(path), 'http://localhost')
  const found = find(method, url.pathname)
  return found && { ...found, url }
}

function isPlain(one: Operation, find: Find, registry: Registry): boolean {
  const route = findRoute(one, find)?.route
  const resource = registry.get(route?.resource ?? '')
  if (!route || !resource || route.invalidates || concernsOthers(resource)) return false
  return /\.(?:create|update)$/.test(route.id)
}

function queryOf(parameters: URLSearchParams): Sent {
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name)
      if (values.some((value) => value.includes('\0')))
        throw badParameter(name, values, 'must not contain the NUL character')
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}
