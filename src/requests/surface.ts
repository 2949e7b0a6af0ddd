/**
 * The surfaces of the API, each with its formats of lists and errors: content with `/rhsm` (content-api §1.2, §6), and the
 * logins of programs, whose errors are those of RFC 6749 5.2.
 */
export type Surface = 'core' | 'content' | 'oauth'

/** What the paths of each surface begin with. */
export const PREFIXES: Readonly<Record<Surface, string>> = { core: '/api', content: '/content/api', oauth: '/oauth' }

/** Yields the surface that a path belongs to: core unless its first words are those of another. */
export function surfaceOf(path: string): Surface {
  if (/^\/oauth\//.test(path)) return 'oauth'
  return /^\/(?:content\/api|rhsm)(?:[/?]|$)/.test(path) ? 'content' : 'core'
}
