import type { HostFacts } from '../../src/classification/attributes.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import { identityOf, isMap, type Value } from '../../src/classification/values.ts'

type Facts = Partial<HostFacts>

const INHERITED = ['hostgroup', 'organization', 'location'] as const

/** What the rules of smart-parameters §4 say when each matcher is looked at by itself: no index, no texts to look up. */
export function bruteForce(parameter: Parameter, facts: Facts): Value | 'absent' | 'required' {
  const ranked = parameter.matchers
    .map((matcher) => ({ matcher, rank: rankOf(matcher.match, parameter.order, facts) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => compare(a.rank ?? [], b.rank ?? []))
    .map(({ matcher }) => matcher)
  const found = parameter.mergeOverrides
    ? merged(
        parameter,
        ranked.filter(({ omit }) => !omit).map(({ value }) => value),
      )
    : ranked[0]
      ? ranked[0].omit
        ? 'omitted'
        : ranked[0].value
      : fallback(parameter)
  if (found === 'omitted') return 'absent'
  if (found !== null) return found
  if (parameter.required) return 'required'
  return parameter.type === 'string' && ranked.length === 0 ? '' : 'absent'
}

// Rank of the line, then how far the parents are: the shorter their titles, the later. Null for no match.
function rankOf(match: string, order: string, facts: Facts): number[] | null {
  const parts = match.split(',').map((part) => part.split('=') as [string, string]) // such are the texts of the fleet
  const line = order.split('\n').indexOf(parts.map(([name]) => name).join())
  if (line < 0) return null
  for (const [name, value] of parts) {
    const own = facts[name as keyof Facts]
    const isNear = own === value || (isInherited(name) && String(own).startsWith(`${value}/`))
    if (!own || !isNear) return null
  }
  // The staircase: whoever comes later in it may have left its own title only if all before it are at their roots.
  const walked = INHERITED.flatMap((name) => parts.filter(([each]) => each === name))
  const moved = walked.map(([name, value]) => facts[name as keyof Facts] !== value)
  const atRoot = walked.map(([, value]) => !value.includes('/'))
  for (const [index, hasMoved] of moved.entries()) if (hasMoved && atRoot.slice(0, index).includes(false)) return null
  return [line, -walked.reduce((sum, [, value]) => sum + value.length, 0)]
}

function isInherited(name: string): boolean {
  return (INHERITED as readonly string[]).includes(name)
}

function fallback({ omit, defaultValue }: Parameter): Value | 'omitted' {
  return omit ? 'omitted' : defaultValue
}

function merged(parameter: Parameter, values: readonly Value[]): Value | 'omitted' {
  const { type, mergeDefault, defaultValue, avoidDuplicates } = parameter
  const start = mergeDefault && defaultValue !== null ? [defaultValue] : []
  if (values.length === 0 && start[0] !== undefined && !isEmpty(start[0])) return start[0]
  if (type === 'array') {
    const all = [...start, ...values].flatMap((value) => value as readonly Value[]) // lists only, for lists
    const items = avoidDuplicates
      ? all.filter((item, index) => all.findIndex((other) => identityOf(other) === identityOf(item)) === index)
      : all
    return items.length === 0 ? fallback(parameter) : items
  }
  const result = [...values, ...start].reverse().reduce<Value>((low, high) => deep(low, high), new Map())
  return isEmpty(result) ? fallback(parameter) : result
}

function deep(low: Value, high: Value): Value {
  if (!isMap(low) || !isMap(high)) return high
  const result = new Map(low)
  for (const [key, value] of high) result.set(key, result.has(key) ? deep(result.get(key) as Value, value) : value) // it has the key
  return result
}

function isEmpty(value: Value): boolean {
  return value !== null && typeof value === 'object' && (isMap(value) ? value.size : value.length) === 0
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, number] of a.entries()) if (number !== b[index]) return number - (b[index] ?? 0)
  return 0
}
