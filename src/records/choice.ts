import { badParameter } from '../errors.ts'
import { refuseBadSearch } from '../kernel/index.ts'
import { NOT_BOOLEAN, toBoolean } from '../requests/sent.ts'
import { isBlank } from '../search/blank.ts'
import { requireValues } from '../search/index.ts'

/** How a request about many records says which ones. */
export interface Choice {
  readonly search: string | null
  /** Whether the request names records by their ids. */
  readonly named: boolean
  /** The value of the parameter `all`, if it was sent. */
  readonly all: unknown
}

/**
 * Requires that a request about many records says which: by a search with a condition, by ids, or by `all=true`. Saying
 * nothing is not "all". Yields the search, null without one. {@throws Failure} bad_parameter, bad_search
 */
export function readChoice({ search, named, all }: Choice, parameter = 'search'): string | null {
  const everything = isTrue(all)
  const condition = search === null || isBlank(search) ? null : search
  if (everything && (condition !== null || named))
    throw badParameter('all', all, 'cannot go together with a search or with ids: it means every record')
  if (!everything && condition === null && !named)
    throw badParameter(parameter, search, 'must be a condition; all=true means every record')
  if (condition !== null) refuseBadSearch(() => requireValues(condition))
  return condition
}

/** {@throws Failure} bad_parameter for what is neither true nor false */
function isTrue(all: unknown): boolean {
  const said = toBoolean(all ?? false) ?? false
  if (typeof said !== 'boolean') throw badParameter('all', all, NOT_BOOLEAN)
  return said
}
