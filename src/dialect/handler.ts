import type { Answer, Input, Route } from '../requests/route.ts'
import { isMembers, membersOf } from '../values.ts'
import { buildCompletionStep } from './completed.ts'
import { buildConfirmationStep } from './confirmation.ts'
import { createEmptyPage, toContentPage } from './content.ts'
import { buildMirroringStep } from './mirroring.ts'
import { translateName } from './names.ts'
import { buildNotKeptStep } from './not-kept.ts'
import { buildAccessModeStep, buildKnownOrganizationStep } from './organizations.ts'
import { buildPageStep } from './pages.ts'
import { isContentPath } from './paths.ts'
import { buildTranslationPlan, type TranslationPlan } from './plan.ts'
import { buildMovingReader, buildReaders } from './reading.ts'
import { buildRefusalStep } from './refusals.ts'
import { buildShapeStep, type Handle, type Step } from './shapes.ts'
import { CORE_PAGES } from './table.ts'
import { buildFinishedTaskStep, buildTaskStep } from './tasks.ts'
import { translateAnswer } from './translate.ts'
import { buildWishesStep } from './wishes.ts'

/** Builds the handler of a route with its translations; the route's own where nothing is translated. */
export function buildHandler(route: Route, method: Route['method'], task: Route | undefined): Handle {
  const shapes = [
    buildRefusalStep(route),
    buildShapeStep(route),
    buildTaskStep(route),
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
