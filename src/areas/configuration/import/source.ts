import type { Delivered } from './delivered.ts'

/** A source of classes. It must not be asked inside of a transaction. */
export interface ClassSource {
  /** Identifies the source; environments of other sources are left alone. */
  readonly key: string
  /** The name of the source for people. */
  readonly label: string
  readonly smartProxyId: number | null
  /** Lists the environments of the source. {@throws SourceError} */
  environments(): Promise<readonly string[]>
  /**
   * Reads the contents of an environment. `known` is the result of the last read from this source; if the source
   * still has that content, it yields `unchanged`. {@throws SourceError}
   */
  read(environment: string, known: RememberedContent): Promise<Content | 'unchanged'>
}

/** The stored result of the last read of an environment. */
export interface RememberedContent {
  readonly hash: string | null
  readonly etag: string | null
}

/** The content of an environment as it was read. */
export interface Content {
  /** Digest of everything that was read. */
  readonly hash: string
  readonly etag: string | null
  readonly delivered: Delivered
}

/** The source could not be read; the message has the reason. With `alone`, other environments may still be readable. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly alone: boolean

  constructor(message: string, { alone = false, cause }: { alone?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.alone = alone
  }
}
