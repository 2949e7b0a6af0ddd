/** The organization and the location that pages are about, by id; null means any. */
export interface Scope {
  readonly organization: string | null
  readonly location: string | null
}

/** The parameters of addresses that hold it: those of the API. */
export const SCOPE_PARAMETERS = ['organization_id', 'location_id'] as const

/** As the address of the page says it. */
export function currentScope(): Scope {
  return scopeOf(new URLSearchParams(location.search))
}

export function scopeOf(parameters: URLSearchParams): Scope {
  return { organization: parameters.get('organization_id') || null, location: parameters.get('location_id') || null }
}
