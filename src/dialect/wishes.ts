import { invalid } from '../errors.ts'
import type { Route } from '../requests/route.ts'
import { isMembers, membersOf } from '../values.ts'
import type { Step } from './shapes.ts'
import { WISHES } from './table.ts'

/** Builds the step for mail settings of users: their interval may have another word, and their list has no pages. */
export function buildWishesStep({ group, method }: Route): Step | null {
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
