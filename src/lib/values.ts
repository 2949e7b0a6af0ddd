/** An object with members of unknown types, such as JSON, rows and drafts: to be looked at with the readers below. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a value is an object and not a list. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object; of anything else, none. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isMembers(value) ? value : {}
}

/** The id of a record. Every record has one. */
export function idOf(record: unknown): number {
  const { id } = membersOf(record)
  if (typeof id !== 'number') throw new TypeError('a record has no id')
  return id
}

/** The records on a page, as every list answers it. */
export function resultsOf(page: unknown): readonly Record<string, unknown>[] {
  return readObjects(membersOf(page), 'results') ?? []
}

/**
 * Readers of one member whose type a schema, field or column guarantees; null and undefined pass through. {@throws
 * TypeError} for another type, which is a mistake in the program
 */
export const readText = createReader('text', (value) => typeof value === 'string')

/** Reads a member that is a number. */
export const readNumber = createReader('a number', (value) => typeof value === 'number')

/** Reads a member that is true or false. */
export const readFlag = createReader('true or false', (value) => typeof value === 'boolean')

/** Reads a member that is a list of objects. */
export const readObjects = createReader('a list of objects', isListOf(isMembers))

/** Reads a member that is a list of numbers. */
export const readNumbers = createReader(
  'a list of numbers',
  isListOf((item) => typeof item === 'number'),
)

/** Reads a member that is a list of texts. */
export const readTexts = createReader(
  'a list of texts',
  isListOf((item) => typeof item === 'string'),
)

function createReader<Value>(kind: string, is: (value: unknown) => value is Value) {
  return (values: Members, key: string): Value | null | undefined => {
    const value = values[key]
    if (value === undefined || value === null || is(value)) return value
    throw new TypeError(`${key} is not ${kind}`)
  }
}

function isListOf<Item>(is: (item: unknown) => item is Item) {
  return (value: unknown): value is Item[] => Array.isArray(value) && value.every(is)
}

/** Whether If-None-Match says that the client has this version: `*` or the tag, weak or not (RFC 9110 13.1.2). */
export function hasAlready(ifNoneMatch: unknown, etag: string): boolean {
  if (typeof ifNoneMatch !== 'string') return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
