import type { Route } from '../kernel/route.ts'
import { isMembers } from './completions.ts'
import type { Step } from './shapes.ts'
import { IGNORED } from './table.ts'

/** Says in a header what of a body was not kept: clients build their commands on parameters that mean nothing here. */
export function buildIgnoredStep({ group, method }: Route): Step | null {
  const ignored = IGNORED.find((one) => one.group === group)
  if (!ignored || (method !== 'POST' && method !== 'PUT')) return null
  const { root, within, keys } = ignored
  return (inner) => (ctx, input) => {
    const record = memberOf(input.body, root) ?? input.body
    const holder = within === null ? record : memberOf(record, within)
    for (const key of keys) {
      if (holder?.[key] !== undefined && holder[key] !== null && holder[key] !== '')
        ctx.warn?.(`${key} was ignored: nothing here is provided by it`)
    }
    return inner(ctx, input)
  }
}

function memberOf(body: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> | null {
  const found = body[key]
  return isMembers(found) ? found : null
}
