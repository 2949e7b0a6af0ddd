/** What a filter is about: each of its rules names some of it. */
export const FILTER_TYPES = ['rpm', 'deb', 'package_group', 'erratum', 'docker', 'modulemd'] as const

/** Kinds of errata. */
export const ERRATUM_TYPES = ['bugfix', 'enhancement', 'security'] as const

/** Which of the dates of an erratum counts. */
export const DATE_TYPES = ['issued', 'updated'] as const

/** What a rule of a filter of each type can say. Modules are not known here, so no rule can name one. */
export const RULE_KEYS: Readonly<Record<string, readonly string[]>> = {
  rpm: ['name', 'version', 'min_version', 'max_version', 'architecture'],
  deb: ['name', 'version', 'min_version', 'max_version', 'architecture'],
  package_group: ['name', 'uuid'],
  erratum: ['errata_id', 'start_date', 'end_date', 'types', 'date_type'],
  docker: ['name'],
  modulemd: [],
}
