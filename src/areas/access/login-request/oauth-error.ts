/** Errors of the token endpoint and of the endpoint for devices (RFC 6749 5.2, RFC 8628 3.5). */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

/** A refusal in the form of OAuth 2.0, with a sentence for people. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthCode

  constructor(code: OAuthCode, description: string) {
    super(description)
    this.code = code
  }
}
