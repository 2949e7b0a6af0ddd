import type { Operation } from './record.ts'

/** The surfaces of the API, each with its formats of lists and errors (content-api §1.2, §6); `/rhsm` is in `content`. */
export type Surface = 'core' | 'content'

/** Where the paths of each surface begin. */
export const PREFIXES: Readonly<Record<Surface, string>> = { core: '/api', content: '/content/api' }

/** The surface that a path belongs to. */
export function surfaceOf(path: string): Surface {
  return /^\/(?:content\/api|rhsm)(?:[/?]|$)/.test(path) ? 'content' : 'core'
}

/** Where the contract treats a resource unlike all others. Each use cites the section. */
export interface Wire {
  /** Operations of the paths below a parent, by its name, and of the `flat` ones; default: all of the resource. */
  readonly paths?: Readonly<Record<string, readonly Operation[]>>
  /** Further paths that its own stand below, e.g. `environments/:environment_id/configclasses/:configclass_id`. */
  readonly below?: readonly string[]
  /** The list is an action; its searches are completed as those of other lists. */
  readonly suggests?: true
  /** Older names of keys in queries and bodies, each with the present one, which wins when both are sent. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Keys of a new record that are taken from the query where the body lacks them. */
  readonly queried?: readonly string[]
  /** Creating below a parent also needs the permission to edit the parent. */
  readonly createEditsParent?: true
  /** Writes that answer 204; clients that prefer it get the record (RFC 7240). */
  readonly silent?: readonly Operation[]
  readonly deprecated?: { readonly operations: readonly Operation[]; readonly since: Date }
}
