export { authSources, externalAuthSources, internalAuthSources } from './auth-source/auth-source.ts'
export { ldapAuthSources } from './auth-source/ldap.ts'
export { oidcAuthSources } from './auth-source/oidc.ts'
export { refreshDirectories } from './directories/background-refresh.ts'
export { createDirectoryLogin } from './directories/directory-login.ts'
export type { RefreshContext } from './directories/group-refresh.ts'
export { loadSources } from './directories/sources.ts'
export { accessRoutes } from './explain/routes.ts'
export { externalUsergroups } from './external-usergroup/external-usergroup.ts'
export { filters } from './filter/filter.ts'
export { warnOfUnreadableFilters } from './filter/unreadable.ts'
export { NO_ADDRESS, normalizeAddress } from './identity/addresses.ts'
export { type IdentityCache, openIdentityCache, REMEMBERED_MS } from './identity/cache.ts'
export { IDENTITY_CHANNEL } from './identity/changes.ts'
export { createDelegatedLogin, type DelegatedUser } from './identity/delegated-login.ts'
export { exchangeCode } from './identity/exchange-code.ts'
export { openLockout } from './identity/lockout.ts'
export {
  type Authenticate,
  type Authentication,
  type Credentials,
  createAuthenticate,
  createFindAgain,
  type FindAgain,
  readAuthorization,
} from './identity/login.ts'
export { createLoginSessions, type GiveLoginSession } from './identity/login-sessions.ts'
export { wrapHash } from './identity/old-hashes.ts'
export { readOldToken, storeOldToken } from './identity/old-tokens.ts'
export { endOwnSessions, listOwnSessions, type SessionOwner } from './identity/own-sessions.ts'
export { hashPassword } from './identity/passwords.ts'
export {
  createAdministrator,
  type FactorReset,
  findActingAdministrator,
  formatOwner,
  type Recovered,
  resetPassword,
  resetSecondFactor,
} from './identity/recovery.ts'
export { revokeByValue } from './identity/revoke-by-value.ts'
export { seedIdentity } from './identity/seed.ts'
export {
  computeCsrfToken,
  createSession,
  deleteIdleSessions,
  endSession,
  setSessionScope,
} from './identity/sessions.ts'
export { loginEvents } from './login-event/login-event.ts'
export { deleteOldLogins, type LoginEvent, recordLogin } from './login-event/record.ts'
export { REQUEST_SECONDS } from './login-request/asked.ts'
export { decideBrowserLogin } from './login-request/browser.ts'
export { CURRENT_LOGIN, showCurrentLogin } from './login-request/current-login.ts'
export {
  DEVICE_INTERVAL,
  decideDeviceLogin,
  deleteOldLoginRequests,
  requestDeviceLogin,
} from './login-request/device.ts'
export { OAuthError } from './login-request/oauth-error.ts'
export { mailNotifications } from './mail-notification/mail-notification.ts'
export { userMailNotifications } from './mail-notification/preference.ts'
export { buildOwnAddress } from './openid/addresses.ts'
export { logOutByToken } from './openid/back-channel.ts'
export { createTokenLogin } from './openid/bearer.ts'
export { beginLogin, finishLogin, LOGIN_SECONDS } from './openid/browser-login.ts'
export { buildLogoutUrl, listLoginProviders } from './openid/login-page.ts'
export { isSessionOfProvider, storeSessionIdentity } from './openid/sessions.ts'
export { permissions } from './permission/permission.ts'
export { personalAccessTokens } from './personal-access-token/personal-access-token.ts'
export { admitReveal, asksForHidden, HIDDEN_QUERY, recordReveals } from './reveal/reveal.ts'
export { endLimitedGrants } from './role/ending-limits.ts'
export { mayEscalate, refuseImpersonation } from './role/escalation.ts'
export { refuseMove } from './role/moving.ts'
export { roles } from './role/role.ts'
export { findFactorNeed, requireFreshProof } from './second-factor/need.ts'
export { buildRequestOptions } from './second-factor/passkeys.ts'
export { noteProof, readProof, requireProof } from './second-factor/proof.ts'
export { secondFactors } from './second-factor/second-factor.ts'
export { sshKeys } from './ssh-key/ssh-key.ts'
export { isAdministrator } from './user/groups.ts'
export { OWN_USER_FIELDS, refuseAdministrators } from './user/guard.ts'
export { buildOwnerList, limitToOwned, refuseForOthers } from './user/owned-records.ts'
export { user } from './user/user.ts'
export { userIdentities } from './user-identity/user-identity.ts'
export { usergroups } from './usergroup/usergroup.ts'
