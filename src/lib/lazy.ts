/** Yields a function that computes its result on first use, once. */
export function computeOnce<Value>(compute: () => Value): () => Value {
  let result: { readonly value: Value } | undefined
  return () => {
    result ??= { value: compute() }
    return result.value
  }
}

/** Creates a record whose values are computed on first use, each once. */
export function makeLazy<Value>(makers: Readonly<Record<string, () => Value>>): Readonly<Record<string, Value>> {
  return addLazy({}, Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, computeOnce(make)])))
}

/** Adds values to a record that are computed where they are read. A copy of the record has them computed. */
export function addLazy<Given extends object, Late>(
  record: Given,
  makers: { readonly [Name in keyof Late]: () => Late[Name] },
): Given & Late {
  for (const [name, get] of Object.entries<() => unknown>(makers)) {
    Object.defineProperty(record, name, { enumerable: true, get })
  }
  return record as Given & Late
}

/** Copies a record with other values for some of its keys; what it computes where it is read, the copy does, too. */
export function copyLazy<Given extends object, Changes extends object>(
  record: Given,
  changes: Changes,
): Given & Changes {
  const descriptors = { ...Object.getOwnPropertyDescriptors(record), ...Object.getOwnPropertyDescriptors(changes) }
  return Object.defineProperties({}, descriptors) as Given & Changes
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

/** Remembers what was computed for an object that never changes, for as long as it lives. */
export function rememberEach<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>()
  return (key) => {
    const found = known.get(key) ?? { result: compute(key) }
    known.set(key, found)
    return found.result
  }
}
