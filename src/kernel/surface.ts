import type { Operation } from './record.ts'

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

/** Where the contract treats a resource unlike all others. Who states some of it cites the section. */
export interface Wire {
  /** The operations of the paths below a parent, by its name, and of `flat` ones; default: all of the resource. */
  readonly paths?: Readonly<Record<string, readonly Operation[]>>
  /** Further paths that its own stand below, e.g. `environments/:environment_id/configclasses/:configclass_id`. */
  readonly below?: readonly string[]
  /** Its list is an action, whose searches are completed like those of other lists. */
  readonly suggests?: true
  /** Older words for keys of queries and bodies, each with the one that is read when both are sent. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Keys of a new record that the query says where the body does not. */
  readonly queried?: readonly string[]
  /** Creating below a parent changes it: the caller must be allowed to edit that. */
  readonly createEditsParent?: true
  /** Writes that answer 204, and with the record only those who prefer it (RFC 7240). */
  readonly silent?: readonly Operation[]
  readonly deprecated?: { readonly operations: readonly Operation[]; readonly since: Date }
}
