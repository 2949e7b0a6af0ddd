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
