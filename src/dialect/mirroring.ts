import { invalid } from '../errors.ts'
import type { Route } from '../requests/route.ts'
import { isMembers, membersOf } from '../values.ts'
import { readId } from './confirmation.ts'
import { refuseLater } from './refused-later.ts'
import type { Step } from './shapes.ts'
import { MIRRORED } from './table.ts'

/**
 * Builds the step that converts the boolean of older clients, by which packages that are gone at the source are removed, to
 * the policy that it stands for.
 */
export function buildMirroringStep(route: Route): Step | null {
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
    const isChosen = chosen !== undefined && chosen !== null && chosen !== ''
    if (isChosen && (chosen !== additive) !== isMirrored)
      return refuse(`must be ${!isMirrored} with the ${policy} that is sent, or be left out`)
    if (!isChosen) record[policy] = isMirrored ? mirror : additive
    return inner(ctx, input)
  }
}

const TRUTHS = new Map([
  ...['true', '1', 'yes', 't'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'f'].map((word) => [word, false] as const),
])
