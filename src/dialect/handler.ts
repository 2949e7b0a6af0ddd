import { beginWithEntitlements, withOrganizationOfKey } from '../areas/content/index.ts'
import { inTransaction } from '../context.ts'
import { Failure, type FieldErrors, invalid } from '../errors.ts'
import { isMembers, membersOf } from '../lib/values.ts'
import type { Answer, Input, Route } from '../requests/route.ts'
import { buildConfirmationStep, readId } from './confirmation.ts'
import { translateName } from './names.ts'
import { buildPageStep } from './pages.ts'
import { isContentPath } from './paths.ts'
import { buildTranslationPlan, type TranslationPlan } from './plan.ts'
import { buildOnTopStep, buildRefusalStep } from './refusals.ts'
import { NOT_KEPT, refuseLater, takesRecord } from './refused-later.ts'
import { buildMovingReader, buildReaders } from './requests.ts'
import { buildCompletionStep } from './routes/completed.ts'
import { buildFinishedTaskStep, buildTaskStep } from './routes/tasks.ts'
import { buildShapeStep, type Handle, type Step } from './shapes.ts'
import { BY_ENTITLEMENT, CORE_PAGES, KNOWS_ORGANIZATION, MIRRORED, WISHES } from './table.ts'
import { translateAnswer } from './translate.ts'

/** Builds the handler of a route with its translations; the route's own where nothing is translated. */
export function buildHandler(route: Route, method: Route['method'], task: Route | undefined): Handle {
  const shapes = [
    buildRefusalStep(route),
    buildShapeStep(route),
    buildTaskStep(route, task),
    buildFinishedTaskStep(route, task),
    buildConfirmationStep(route),
    buildKnownOrganizationStep(route),
    buildAccessModeStep(route),
    buildNotKeptStep(route),
    buildMirroringStep(route),
    buildWishesStep(route),
  ]
  const steps = [
    ...shapes,
    buildTranslationStep(route, method),
    buildCompletionStep(route),
    buildPageStep(route),
    buildContentPageStep(route),
    buildOnTopStep(route),
  ].filter((step) => step !== null)
  return steps.reduce<Handle>((inner, step) => step(inner), route.handle)
}

/** Builds the translation of requests and answers; null where a route needs none. */
function buildTranslationStep(route: Route, method: Route['method']): Step | null {
  const reads = buildReaders(route)
  const move = buildMovingReader(route, method)
  const plan = mergeAnswers(route)
  const lists = route.query !== undefined && 'search' in route.query.shape
  if (reads.length === 0 && move === null && plan === null && !lists) return null
  return (inner) => async (ctx, given) => {
    const sent = move ? move(given) : given
    const input = reads.reduce((read, step) => step(read), sent)
    const answer = await inner(ctx, input)
    const body = plan ? translateTo(answer, plan) : answer
    return lists && input.query !== sent.query ? withOwnSearch(body, sent) : body
  }
}

/** Merges the plans of all statuses of a route: their bodies are records of one resource, or have no key in common. */
function mergeAnswers({ answers, group }: Route): ReadonlyMap<number, TranslationPlan> | null {
  const plans = Object.entries(answers).flatMap(([status, schema]): [number, TranslationPlan][] => {
    const plan = schema && buildTranslationPlan(schema, 'theirs', group)
    return plan ? [[Number(status), plan]] : []
  })
  return plans.length > 0 ? new Map(plans) : null
}

function translateTo(answer: Answer, plans: ReadonlyMap<number, TranslationPlan>): Answer {
  const plan = plans.get(answer.status)
  return plan && answer.body !== undefined ? { ...answer, body: translateAnswer(answer.body, plan) } : answer
}

/** Returns `search` and `sort` of a list as they were sent. */
function withOwnSearch(answer: Answer, { query }: Input): Answer {
  if (!isMembers(answer.body) || !('sort' in answer.body)) return answer // arrays have a method of that name
  const { sort, ...body } = answer.body
  const { by = null, ...sorted } = membersOf(sort)
  const theirs = typeof by === 'string' && by ? translateName('theirs', by) : by
  return { ...answer, body: { ...body, search: query.search ?? null, sort: { by: theirs, ...sorted } } }
}

function buildContentPageStep({ method, path, group }: Route): Step | null {
  if (method !== 'GET' || !isContentPath(path) || CORE_PAGES.includes(group)) return null
  return (inner) => async (ctx, input) => toContentPage(await inner(ctx, input).catch(createEmptyPage(input)), input)
}

/** Builds the step for mail settings of users: their interval may have another word, and their list has no pages. */
function buildWishesStep({ group, method }: Route): Step | null {
  if (group !== WISHES.group) return null
  if (method === 'POST' || method === 'PUT') return readSubscription
  return method === 'GET' ? listed : null
}

const readSubscription: Step = (inner) => async (ctx, input) => {
  const within = input.body[WISHES.root]
  const wish = (isMembers(within) ? within : input.body) as Record<string, unknown> // parsed for this request only
  const { [WISHES.word]: sent, [WISHES.interval]: interval } = wish
  delete wish[WISHES.word]
  if (sent === undefined || sent === null || sent === '') return inner(ctx, input)
  if (interval !== undefined && interval !== null && String(interval).toLowerCase() !== String(sent).toLowerCase())
    throw invalid({ [WISHES.word]: [`must be left out where ${WISHES.interval} says something else`] })
  wish[WISHES.interval] = sent
  return inner(ctx, input)
}

const listed: Step = (inner) => async (ctx, input) => {
  const answer = await inner(ctx, { ...input, query: { ...input.query, per_page: 'all' } })
  const { results } = membersOf(answer.body)
  return results ? { ...answer, body: results } : answer
}

/** Converts a page to the form of the content API (content-api §1.2), whose page numbers are returned as they were sent. */
function toContentPage(answer: Answer, { query }: Input): Answer {
  const { body } = answer
  if (!isPage(body) || body.page === null) return answer
  const sent = Object.fromEntries(
    NUMBERS.filter((name) => typeof query[name] === 'string').map((name) => [name, query[name]]),
  )
  return { ...answer, body: { ...body, ...sent } }
}

const NUMBERS = ['page', 'per_page'] as const

/** Builds the answer to a malformed search: an empty page that contains the error (content-api §1.3). */
function createEmptyPage({ query }: Input): (error: unknown) => Answer {
  return (error) => {
    if (!(error instanceof Failure) || error.code !== 'bad_search') throw error
    const counts = { total: 0, subtotal: 0, selectable: 0, page: null, per_page: null }
    const sort = { by: query.sort_by ?? 'name', order: query.sort_order ?? 'asc' }
    return {
      status: 200,
      body: { ...counts, error: error.message, search: query.search ?? null, sort, results: [] },
    }
  }
}

function isPage(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && 'results' in body && 'subtotal' in body
}

/** Builds the step that adds the record's organization to updates: clients of these versions leave it out. */
function buildKnownOrganizationStep({ id }: Route): Step | null {
  if (!KNOWS_ORGANIZATION.includes(id)) return null
  return (inner) => async (ctx, input) => inner(await withOrganizationOfKey(ctx, input.params.id ?? ''), input)
}

/**
 * Builds the step that sets the access mode of new organizations to subscriptions unless the request sets one, as the
 * servers of these versions did.
 */
function buildAccessModeStep({ id }: Route): Step | null {
  if (!BY_ENTITLEMENT.includes(id)) return null
  return (inner) => async (ctx, input) => {
    const sent = [input.body, ...Object.values(input.body)]
    if (sent.some((members) => isMembers(members) && 'simple_content_access' in members)) return inner(ctx, input)
    return inTransaction(ctx, async (tx) => {
      const answer = await inner(tx, input)
      const { id: made, ...record } = membersOf(answer.body)
      await beginWithEntitlements(tx, Number(made))
      const shown =
        'simple_content_access' in record ? { id: made, ...record, simple_content_access: false } : answer.body
      return { ...answer, body: shown }
    })
  }
}

/**
 * Builds the step that refuses parameters that this service does not keep, although clients build their commands on them;
 * blank values are accepted.
 */
function buildNotKeptStep(route: Route): Step | null {
  const { group, method } = route
  const notKept = NOT_KEPT.find((one) => one.group === group)
  if (!notKept || method === 'DELETE' || !takesRecord(route)) return null
  const { root, refused } = notKept
  return (inner) => async (ctx, input) => {
    const record = memberOf(input.body, root) ?? input.body
    const errors: FieldErrors = {}
    for (const [key, why] of Object.entries(refused)) {
      const said = record[key]
      if (said !== undefined && said !== null && said !== '') errors[key] = [why]
    }
    if (Object.keys(errors).length === 0) return inner(ctx, input)
    return refuseLater(route, inner, [ctx, input], invalid(errors, readId(input)))
  }
}

function memberOf(body: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> | null {
  const found = body[key]
  return isMembers(found) ? found : null
}

/**
 * Builds the step that converts the boolean of older clients, by which packages that are gone at the source are removed, to
 * the policy that it stands for.
 */
function buildMirroringStep(route: Route): Step | null {
  const { group, method } = route
  if (group !== MIRRORED.group || (method !== 'POST' && method !== 'PUT')) return null
  const { root, key, policy, additive, mirror } = MIRRORED
  return (inner) => async (ctx, input) => {
    const within = input.body[root]
    const record = membersOf(isMembers(within) ? within : input.body)
    const { [key]: sent, [policy]: chosen } = record
    delete record[key]
    if (sent === undefined || sent === null || sent === '') return inner(ctx, input)
    const isMirrored = TRUTHS.get(String(sent).toLowerCase())
    const refuse = (message: string) =>
      refuseLater(route, inner, [ctx, input], invalid({ [key]: [message] }, readId(input)))
    if (isMirrored === undefined) return refuse('must be true or false')
    // The policy says more than the boolean, and wins over it.
    const isChosen = chosen !== undefined && chosen !== null && chosen !== ''
    if (!isChosen) record[policy] = isMirrored ? mirror : additive
    return inner(ctx, input)
  }
}

const TRUTHS = new Map([
  ...['true', '1', 'yes', 't'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'f'].map((word) => [word, false] as const),
])
