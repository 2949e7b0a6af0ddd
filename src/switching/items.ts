import type { Body } from './adapt.ts'

/** Gives items the ids of the parts here that they are about, and removes the parts that no item is about. */
export function matchItems(items: readonly Body[], there: readonly Body[]): Body[] {
  const left = [...there]
  const matched = items.map((item) => {
    const place = left.findIndex((one) => PART_NAMES.some((key) => item[key] && item[key] === one[key]))
    const [same] = place < 0 ? [] : left.splice(place, 1)
    const { type, ...rest } = toSent(item)
    return same ? { ...rest, id: same.id } : toSent(item)
  })
  return [...matched, ...left.map(({ id }) => ({ id, _destroy: true }))]
}

const PART_NAMES = ['identifier', 'mac', 'name', 'ip'] as const

/** Yields an item as requests send it. */
export function toSent(item: Body): Body {
  const isParameter = 'parameter_type' in item
  return {
    ...Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)),
    ...(isParameter && { as_sent: true }),
  }
}

/** Yields an item as both servers can have it. */
export function withoutId({ id, ...item }: Body): Body {
  return item
}

/** Sorts items by their names. */
export function sortItems(items: readonly Body[]): Body[] {
  const nameOfItem = (item: Body) => JSON.stringify(PART_NAMES.map((key) => item[key] ?? null))
  return items.toSorted((a, b) => (nameOfItem(a) < nameOfItem(b) ? -1 : 1))
}
