import { listCandidates, type Order, parseOrder, type Subject } from '../matchers.ts'
import type { Parameter } from '../parameter.ts'

/** An index of hosts by their match texts, so that the hosts of a matcher are found without asking each host. */
export interface Crowd {
  /**
   * Yields the match texts that take precedence over this one on all hosts that have it; null when some host gets this
   * matcher, or no host has the text.
   */
  readonly hiding: (parameter: Parameter, match: string) => readonly string[] | null
}

/** Indexes the hosts. The index of an order is built when it is first asked for. */
export function crowdOf(hosts: readonly Subject[], inheritance: boolean): Crowd {
  const indexes = new Map<string, Index>()
  return {
    hiding: (parameter, match) => {
      const index = indexes.get(parameter.order) ?? indexOf(parseOrder(parameter.order), hosts, inheritance)
      indexes.set(parameter.order, index)
      return findHiding(index, new Set(parameter.matchers.map((matcher) => matcher.match)), match)
    },
  }
}

interface CrowdPlace {
  /** The match texts of these hosts, best first. */
  readonly texts: readonly string[]
  /** The position of the text by which the hosts were found among `texts`. */
  readonly position: number
}

type Index = ReadonlyMap<string, readonly CrowdPlace[]>

function indexOf(order: Order, hosts: readonly Subject[], inheritance: boolean): Index {
  const index = new Map<string, CrowdPlace[]>()
  for (const subject of hosts) {
    const texts = listCandidates(order, subject, inheritance).map(({ match }) => match)
    for (const [position, text] of texts.entries()) {
      const places = index.get(text)
      if (places) places.push({ texts, position })
      else index.set(text, [{ texts, position }])
    }
  }
  return index
}

function findHiding(index: Index, matchers: ReadonlySet<string>, match: string): string[] | null {
  const by = new Set<string>()
  for (const { texts, position } of index.get(match) ?? []) {
    const better = texts.slice(0, position).find((text) => matchers.has(text))
    if (better === undefined) return null
    by.add(better)
  }
  return by.size === 0 ? null : [...by]
}
