import { INHERITED, type Order, parseMatch } from '../matchers.ts'
import type { Matcher, Parameter } from '../parameter.ts'

/**
 * Finds a matcher that takes precedence over this one on every host that can match it, whatever hosts exist: one of an
 * earlier line whose attributes and values are a subset of this matcher's. Null when there is none.
 */
export function findAlwaysBefore(
  { matchers }: Parameter,
  matcher: Matcher,
  order: Order,
  inheritance: boolean,
): Matcher | null {
  const lines = order.map((line) => line.join())
  const own = parseMatch(matcher.match)
  const line = lines.indexOf(own.attributes.join())
  const values = new Map(own.attributes.map((attribute, index) => [attribute, own.values[index] ?? '']))
  const before = matchers.find((other) => {
    const { attributes, values: asked } = parseMatch(other.match)
    const rank = lines.indexOf(attributes.join())
    if (other === matcher || rank < 0 || rank >= line) return false
    // The steps of several trees depend on each other, so that climbing is only known to be safe for a single inherited
    // attribute.
    const mayClimb = inheritance && attributes.filter((attribute) => INHERITED.includes(attribute)).length === 1
    return attributes.every((attribute, index) => {
      const [mine, theirs] = [values.get(attribute), asked[index] ?? '']
      if (mine === undefined) return false
      return mine === theirs || (mayClimb && INHERITED.includes(attribute) && mine.startsWith(`${theirs}/`))
    })
  })
  return before ?? null
}
