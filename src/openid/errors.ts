/** Why a login at a provider failed: one code each, which pages translate, and one sentence for clients. */
export const OPENID_PROBLEMS = {
  unreachable: 'The provider of this login does not answer. Log in with a password, or try again later.',
  slow: 'The provider of this login takes too long to answer. Try again later.',
  untrusted: 'The certificate of the provider is not trusted.',
  misconfigured: 'The provider of this login is not set up correctly.',
  wrong_issuer: 'The provider calls itself by another name than expected.',
  wrong_provider: 'The answer came from another provider than the login was begun at.',
  client_refused: 'The provider does not know this service, or refuses its secret.',
  refused: 'The provider refused the login.',
  no_login: 'This login has expired or was begun in another browser. Begin it again.',
  replayed: 'This login was used before. Begin it again.',
  wrong_nonce: 'The answer of the provider belongs to another login.',
  wrong_algorithm: 'The token of the provider is not signed in an accepted way.',
  unknown_key: 'The token of the provider is signed with a key that it does not publish.',
  bad_signature: 'The signature of the token is wrong.',
  wrong_audience: 'The token of the provider was issued for another service.',
  expired: 'The token of the provider has expired.',
  early: 'The token of the provider is not valid yet. Check the clocks.',
  malformed: 'The answer of the provider cannot be understood.',
  too_large: 'The answer of the provider is too large.',
  too_many_groups: 'The provider names more groups of yours than this service reads.',
  no_name: 'The provider does not say which login you have here.',
  unusable_name: 'The login that the provider names cannot be used here.',
  name_taken: 'The login that the provider names belongs to another account here. Ask an administrator to link both.',
  unknown_user: 'The provider knows you, but you have no account here.',
  disabled: 'Your account here is disabled.',
  linked_already: 'This login at the provider is linked to another account already.',
  not_your_session: 'You have logged out meanwhile. Log in and link your account again.',
} as const

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
