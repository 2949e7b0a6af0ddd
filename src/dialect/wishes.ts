import { invalid } from '../errors.ts'
import type { Route } from '../kernel/route.ts'
import { isMembers, membersOf } from '../values.ts'
import type { Step } from './shapes.ts'
import { WISHES } from './table.ts'

/** Which mails users want: their kind of interval may be called otherwise, and the list is one without pages. */
export function buildWishesStep({ group, method }: Route): Step | null {
  if (group !== WISHES.group) return null
  if (method === 'POST' || method === 'PUT') return readSubscription
  return method === 'GET' ? listed : null
}

const readSubscription: Step = (inner) => async (ctx, input) => {
  const within = input.body[WISHES.root]
  const wish = (isMembers(within) ? within : input.body) as Record<string, unknown> // read for this request alone
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
