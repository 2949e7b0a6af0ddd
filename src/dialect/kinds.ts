import type { Input, Route } from '../requests/route.ts'
import { isMembers } from '../values.ts'
import { definitionOf } from './definition-of.ts'
import { PARAMETER_LISTS } from './table.ts'

/** Builds the reader that keeps the kind (number, boolean) of parameter values in bodies; null for routes that take none. */
export function buildKindReader({ group, body }: Route): ((input: Input) => Input) | null {
  const whole = body && ['parameters', 'common_parameters'].includes(group)
  const root = body && rootOf(body)
  const lists = Object.keys(root ?? {}).filter((key) => PARAMETER_LISTS.test(key))
  if (!whole && lists.length === 0) return null
  return (input) => {
    for (const members of [input.body, ...Object.values(input.body)].filter(isMembers)) {
      if (whole) sayKind(members)
      for (const list of lists) for (const item of itemsOf(members[list])) sayKind(item)
    }
    return input
  }
}

type Members = Record<string, unknown>

function rootOf(body: NonNullable<Route['body']>): Readonly<Record<string, unknown>> | undefined {
  const [inner, ...others] = Object.values(definitionOf(body).shape ?? {})
  return others.length === 0 && inner ? definitionOf(inner).shape : undefined
}

/** Changes the members in place: the body was parsed for this request only. */
function sayKind(members: Members): void {
  if (['number', 'boolean'].includes(typeof members.value)) members.as_sent = true
}

/** Yields the items of a list, which forms send as an object with numbers as keys. */
function itemsOf(list: unknown): Record<string, unknown>[] {
  return typeof list === 'object' && list !== null ? Object.values(list).filter(isMembers) : []
}
