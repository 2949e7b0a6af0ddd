/** The form of logins (core-api §11), also for users that come from sources. */
export const LOGIN_NAME = {
  regexp: /^[\p{L}\p{N}_\-@.\\$#+]*$/u,
  message: 'may hold letters, digits and _ - @ . \\ $ # + only',
} as const

/** The maximum length of a login in characters. */
export const LONGEST_LOGIN = 100

/** Whether a text has the form of a login. */
export function isPossibleLogin(login: string): boolean {
  return login.length > 0 && [...login].length <= LONGEST_LOGIN && LOGIN_NAME.regexp.test(login)
}
