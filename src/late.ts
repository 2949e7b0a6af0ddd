/** Creates a record whose values are computed on first use, each once. */
export function makeLate<Value>(makers: Readonly<Record<string, () => Value>>): Readonly<Record<string, Value>> {
  const record: Record<string, Value> = {}
  for (const [name, make] of Object.entries(makers)) {
    let value: Value | undefined
    const get = () => {
      value ??= make()
      return value
    }
    Object.defineProperty(record, name, { enumerable: true, get })
  }
  return record
}

/** Remembers what was computed for a pair of objects that never change, for as long as both live. */
export function rememberPairs<First extends object, Second extends object, Result>(
  compute: (first: First, second: Second) => Result,
): (first: First, second: Second) => Result {
  const known = new WeakMap<First, WeakMap<Second, { readonly result: Result }>>()
  return (first, second) => {
    const seconds = known.get(first) ?? new WeakMap<Second, { readonly result: Result }>()
    known.set(first, seconds)
    const found = seconds.get(second) ?? { result: compute(first, second) }
    seconds.set(second, found)
    return found.result
  }
}
