import type { Operation } from './record.ts'

/** The surfaces of the API, each with its formats of lists and errors (content-api §1.2, §6); `/rhsm` is in `content`. */
export type Surface = 'core' | 'content'

/** What the paths of each surface begin with. */
export const PREFIXES: Readonly<Record<Surface, string>> = { core: '/api', content: '/content/api' }

/** Yields the surface that a path belongs to: content below `/content/api` and `/rhsm`, otherwise core. */
export function surfaceOf(path: string): Surface {
  return /^\/(?:content\/api|rhsm)(?:[/?]|$)/.test(path) ? 'content' : 'core'
}

/** Where the contract treats a resource unlike all others. Each use cites the section. */
export interface Wire {
  /** Operations at the paths below a parent, by its name, and at the resource's own (`flat`); default: all that it has. */
  readonly paths?: Readonly<Record<string, readonly Operation[]>>
  /** Paths below which there are further paths of its own, e.g. `environments/:environment_id/configclasses/:configclass_id`. */
  readonly below?: readonly string[]
  /** The resource lists by an action, whose searches are completed like those of the operation. */
  readonly suggests?: true
  /** Older names of keys in queries and bodies, each with the present one, which wins when both are sent. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Keys of a new record that are taken from the query where the body lacks them. */
  readonly queried?: readonly string[]
  /** Creating below a parent also needs the permission to edit the parent. */
  readonly createEditsParent?: true
  /** Writes that answer 204, or with the record where `Prefer: return=representation` asks for it (RFC 7240). */
  readonly silent?: readonly Operation[]
  readonly deprecated?: { readonly operations: readonly Operation[]; readonly since: Date }
}
