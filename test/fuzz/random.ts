/** Random choices that a seed reproduces. */
export interface Random {
  /** Yields an integer from 0 up to, but not including, the limit. */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly one: <Item>(items: readonly Item[]) => Item
  /** Yields at most this many items, made by the function. */
  readonly some: <Item>(limit: number, make: () => Item) => Item[]
}

/** Creates the generator mulberry32: small, fast, and good enough for choices. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    one: <Item>(items: readonly Item[]) => {
      if (items.length === 0) throw new Error('there is nothing to choose from')
      return items[below(items.length)] as Item // the index is within the list
    },
    some: (limit, make) => Array.from({ length: below(limit + 1) }, make),
  }
}
