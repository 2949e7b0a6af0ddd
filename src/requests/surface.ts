/** The surfaces of the API, each with its formats of lists and errors (content-api §1.2, §6); `/rhsm` is in `content`. */
export type Surface = 'core' | 'content'

/** What the paths of each surface begin with. */
export const PREFIXES: Readonly<Record<Surface, string>> = { core: '/api', content: '/content/api' }

/** Yields the surface that a path belongs to: content below `/content/api` and `/rhsm`, otherwise core. */
export function surfaceOf(path: string): Surface {
  return /^\/(?:content\/api|rhsm)(?:[/?]|$)/.test(path) ? 'content' : 'core'
}
