import { invalid } from '../errors.ts'
import { isMembers } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { refuseLater } from './refused-later.ts'
import type { Step } from './shapes.ts'
import { SENT_TWICE } from './table.ts'

/** Builds the step that refuses a secret whose confirmation differs; null where clients send no secret. */
export function buildConfirmationStep(route: Route): Step | null {
  const { group, body } = route
  const twice = SENT_TWICE[group]
  if (!twice || !body) return null
  const { secret, again } = twice
  return (inner) => async (ctx, input) => {
    for (const members of [input.body, ...Object.values(input.body).filter(isMembers)]) {
      if (members[secret] === undefined || (members[again] ?? null) === null) continue
      if (members[secret] !== members[again])
        return refuseLater(
          route,
          inner,
          [ctx, input],
          invalid({ [again]: [`doesn't match ${capitalizeKey(secret)}`] }, readId(input)),
        )
    }
    return inner(ctx, input)
  }
}

function capitalizeKey(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1)
}

/** Yields the id by which the path names the record; null where it is named by something else. */
export function readId({ params }: Parameters<Route['handle']>[1]): number | null {
  return /^\d{1,15}$/.test(params.id ?? '') ? Number(params.id) : null
}
