import { type FieldErrors, invalid } from '../errors.ts'
import type { Route } from '../kernel/route.ts'
import { isMembers } from '../values.ts'
import { idIn } from './confirmation.ts'
import type { Step } from './shapes.ts'
import { IGNORED } from './table.ts'

/**
 * Says in a header what of a body was not kept: clients build their commands on parameters that mean nothing here. What
 * would be missed is refused.
 */
export function buildIgnoredStep({ group, method }: Route): Step | null {
  const ignored = IGNORED.find((one) => one.group === group)
  if (!ignored || (method !== 'POST' && method !== 'PUT')) return null
  const { root, keys, refused = {} } = ignored
  return (inner) => async (ctx, input) => {
    const record = memberOf(input.body, root) ?? input.body
    const isSaid = (key: string) => record[key] !== undefined && record[key] !== null && record[key] !== ''
    const errors: FieldErrors = {}
    for (const [key, why] of Object.entries(refused)) if (isSaid(key)) errors[key] = [why]
    if (Object.keys(errors).length > 0) throw invalid(errors, idIn(input))
    for (const key of keys) if (isSaid(key)) ctx.warn?.(`${key} was ignored: nothing here is provided by it`)
    return inner(ctx, input)
  }
}

function memberOf(body: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> | null {
  const found = body[key]
  return isMembers(found) ? found : null
}
