/** The organization and location of the pages, by id; null means any. */
export interface Scope {
  readonly organization: string | null
  readonly location: string | null
}

/** The parameters of an address that hold the scope, as in the API. */
export const SCOPE_PARAMETERS = ['organization_id', 'location_id'] as const

/** Reads the scope from the address of the page. */
export function readCurrentScope(): Scope {
  return scopeOf(new URLSearchParams(location.search))
}

export function scopeOf(parameters: URLSearchParams): Scope {
  return { organization: parameters.get('organization_id') || null, location: parameters.get('location_id') || null }
}
