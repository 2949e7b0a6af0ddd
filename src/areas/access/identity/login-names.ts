/** What a login may look like (core-api §11), whoever makes the user. */
export const LOGIN_NAME = {
  regexp: /^[\p{L}\p{N}_\-@.\\$#+]*$/u,
  message: 'may hold letters, digits and _ - @ . \\ $ # + only',
} as const
export const LONGEST_LOGIN = 100

/** Whether a user can have this login. */
export function isPossibleLogin(login: string): boolean {
  return login.length > 0 && [...login].length <= LONGEST_LOGIN && LOGIN_NAME.regexp.test(login)
}
