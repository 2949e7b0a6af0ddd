/**
 * A malformed search or order. The message tells users what is wrong; `position` is the character (from 0) at which it was
 * noticed, null where it concerns the whole text.
 */
export class SearchError extends Error {
  override readonly name = 'SearchError'
  readonly position: number | null

  constructor(message: string, position: number | null = null) {
    super(message)
    this.position = position
  }
}

/** Does work, and yields null where that finds a search or an order malformed. */
export function ignoreBadSearch<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SearchError) return null
    throw error
  }
}
