import { INHERITED, type Order, parseMatch } from '../matchers.ts'
import type { Matcher, Parameter } from '../parameter.ts'

/**
 * The matcher that comes before this one for every host that can ever match it, by the words alone: one of an earlier
 * line that asks for a part of the same; null when there is none.
 */
export function alwaysBefore(
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
    // Steps up several trees at once depend on each other; a part of them is one of the steps of the part.
    const mayClimb = inheritance && attributes.filter((attribute) => INHERITED.includes(attribute)).length === 1
    return attributes.every((attribute, index) => {
      const [mine, theirs] = [values.get(attribute), asked[index] ?? '']
      if (mine === undefined) return false
      return mine === theirs || (mayClimb && INHERITED.includes(attribute) && mine.startsWith(`${theirs}/`))
    })
  })
  return before ?? null
}
