/** The surfaces of the API, each with its formats of lists and errors (content-api §1.2, §6); `/rhsm` is in `content`. */
export type Surface = 'core' | 'content'

/** The forms of errors: those of the surfaces, and for logins of programs that of RFC 6749 5.2. */
export type ErrorForm = Surface | 'oauth'

/** What the paths of each surface begin with. */
export const PREFIXES: Readonly<Record<Surface, string>> = { core: '/api', content: '/content/api' }

/** Yields the form of errors for a path. */
export function errorFormOf(path: string): ErrorForm {
  if (/^\/oauth\//.test(path)) return 'oauth'
  return /^\/(?:content\/api|rhsm)(?:[/?]|$)/.test(path) ? 'content' : 'core'
}
