/**
 * The parts of the API: each has its own prefix, and its own way to say lists and errors (content-api §1.2, §6). What
 * subscription clients ask for below `/rhsm` speaks like `content`.
 */
export type Surface = 'core' | 'content'

export const PREFIXES: Readonly<Record<Surface, string>> = { core: '/api', content: '/content/api' }

/** The part of the API that a path belongs to. */
export function surfaceOf(path: string): Surface {
  return /^\/(?:content\/api|rhsm)(?:[/?]|$)/.test(path) ? 'content' : 'core'
}
