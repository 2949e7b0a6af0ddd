import type { Delivered } from './delivered.ts'

/** Where classes are imported from. Nothing of it is asked inside a transaction. */
export interface ClassSource {
  /** Names it for good: environments that came from another source are none of its business. */
  readonly key: string
  /** Who is asked, for people. */
  readonly label: string
  readonly smartProxyId: number | null
  /** {@throws SourceError} */
  environments(): Promise<readonly string[]>
  /**
   * What an environment holds. `known` is what was read last from this source: where it still holds there is nothing to
   * be read again. {@throws SourceError}
   */
  read(environment: string, known: RememberedContent): Promise<Content | 'unchanged'>
}

/** What is known of an environment from before. */
export interface RememberedContent {
  readonly hash: string | null
  readonly etag: string | null
}

export interface Content {
  /** Of all that was read. */
  readonly hash: string
  readonly etag: string | null
  readonly delivered: Delivered
}

/** The source did not tell; the message says why. With `alone`, another environment may still be told. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly alone: boolean

  constructor(message: string, { alone = false, cause }: { alone?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.alone = alone
  }
}
