import { OPENID_PROBLEMS } from './problems.ts'

/** The code of a failure. */
export type OpenIdProblem = keyof typeof OPENID_PROBLEMS

/** A login at a provider, or a token of it, failed. The message is for logs; clients get the sentence of the code. */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  readonly code: OpenIdProblem

  constructor(code: OpenIdProblem, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause })
    this.code = code
  }

  /** The sentence for clients, without details of the provider. */
  get sentence(): string {
    return OPENID_PROBLEMS[this.code]
  }
}
