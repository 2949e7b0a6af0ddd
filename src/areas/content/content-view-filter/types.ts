/** The types of filters, by what their rules name. */
export const FILTER_TYPES = ['rpm', 'deb', 'package_group', 'erratum', 'docker', 'modulemd'] as const

/** Kinds of errata. */
export const ERRATUM_TYPES = ['bugfix', 'enhancement', 'security'] as const

/** The dates of an erratum that a rule can be about. */
export const DATE_TYPES = ['issued', 'updated'] as const

/**
 * The keys that rules can have, by the type of their filter. Modules are unknown to this service, so that no rule can
 * name one.
 */
export const RULE_KEYS: Readonly<Record<string, readonly string[]>> = {
  rpm: ['name', 'version', 'min_version', 'max_version', 'architecture'],
  deb: ['name', 'version', 'min_version', 'max_version', 'architecture'],
  package_group: ['name', 'uuid'],
  erratum: ['errata_id', 'start_date', 'end_date', 'types', 'date_type'],
  docker: ['name'],
  modulemd: [],
}
