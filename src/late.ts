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
