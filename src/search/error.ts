/**
 * A search or an order that cannot be understood. The message says what is wrong in words a user can act on;
 * `position` is the character (from 0) of the text where it was noticed, null where it concerns the whole.
 */
export class SearchError extends Error {
  override readonly name = 'SearchError'
  readonly position: number | null

  constructor(message: string, position: number | null = null) {
    super(message)
    this.position = position
  }
}
