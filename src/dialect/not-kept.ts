import { type FieldErrors, invalid } from '../errors.ts'
import type { Route } from '../requests/route.ts'
import { isMembers } from '../values.ts'
import { readId } from './confirmation.ts'
import { refuseLater, takesRecord } from './refused-later.ts'
import type { Step } from './shapes.ts'
import { NOT_KEPT } from './table.ts'

/**
 * Builds the step that refuses parameters that this service does not keep, although clients build their commands on them;
 * blank values are accepted.
 */
export function buildNotKeptStep(route: Route): Step | null {
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
