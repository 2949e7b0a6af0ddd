import { labelOf } from '../../words/words.ts'
import type { Column, ResourceFull, ResourceShort } from '../description.ts'

const MOST_AT_FIRST = 7

/** The first columns of lists that people look at all day, in the order of the job. */
const OF_THE_JOB: Readonly<Record<string, readonly string[]>> = {
  hosts: [
    'global_status_label',
    'name',
    'operatingsystem_name',
    'hostgroup_title',
    'environment_name',
    'owner_name',
    'last_report',
    'ip',
  ],
  config_reports: ['host_name', 'reported_at', 'status'],
  hostgroups: ['title', 'environment_name', 'operatingsystem_name', 'architecture_name', 'domain_name', 'description'],
  operatingsystems: ['title', 'family', 'release_name', 'description'],
  organizations: ['title', 'label', 'description'],
  locations: ['title', 'description'],
  configclasses: ['name', 'module_name'],
  smart_class_parameters: [
    'parameter',
    'configclass_name',
    'parameter_type',
    'default_value',
    'override_values_count',
    'description',
  ],
  users: ['login', 'firstname', 'lastname', 'mail', 'admin', 'auth_source_name', 'last_login_on'],
  config_runs: ['host_name', 'status', 'requested_by', 'created_at', 'finished_at', 'exit_status', 'message'],
  settings: ['full_name', 'value', 'default', 'category_name', 'description'],
  filters: ['resource_type_label', 'role', 'permissions', 'search'],
  activation_keys: ['name', 'usage_count', 'max_hosts', 'enabled', 'expires_at', 'content_view', 'environment'],
  auth_source_ldaps: ['name', 'server_type', 'host', 'port', 'account', 'onthefly_register', 'usergroup_sync'],
}

/**
 * Lists the columns that people choose from: one for each thing. An id gives way to the name, a number to its label, and
 * values that only programs read are left out.
 */
export function listChoosable({ columns }: Pick<ResourceFull, 'columns'>): readonly Column[] {
  const keys = new Set(columns.map(({ key }) => key))
  const isForPrograms = ({ key, kind }: Column) =>
    /^(?:ancestry|all_parameters|parameters|metrics|capabilities)$|^inherited_|_attributes$|.+_ids?$/.test(key) ||
    keys.has(`${key}_label`) ||
    (kind === 'object' && (keys.has(`${key}_name`) || key === 'permissions'))
  const best = new Map<string, Column>()
  for (const column of columns.filter((one) => !isForPrograms(one))) {
    const label = labelOf(column.key)
    const known = best.get(label)
    if (!known || rankOf(column) < rankOf(known)) best.set(label, column)
  }
  const chosen = new Set(best.values())
  return columns.filter((column) => chosen.has(column))
}

/** Of several columns for one thing, a title says most, then a name. */
function rankOf({ key }: Column): number {
  return [/_title$/, /_name$/, /_label$/].findIndex((one) => one.test(key)) >>> 0
}

/** Yields the columns of stored keys: one that is no longer offered gives way to that of the same thing. */
export function findColumns(full: Pick<ResourceFull, 'columns'>, keys: readonly string[]): readonly Column[] {
  const choosable = listChoosable(full)
  const found = keys.flatMap(
    (key) =>
      choosable.find((one) => one.key === key) ?? choosable.find((one) => labelOf(one.key) === labelOf(key)) ?? [],
  )
  return [...new Set(found)]
}

/** Puts the columns of the job first, in their order. */
export function putJobFirst<T extends Column>({ plural }: Pick<ResourceShort, 'plural'>, columns: readonly T[]): T[] {
  const keys = OF_THE_JOB[plural] ?? []
  const placeOf = ({ key }: Column) => keys.indexOf(key) >>> 0
  return columns.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Yields the default columns: those of the job, or the label, then links, then the rest, and the time of the last change. */
export function defaultColumnsOf(
  { label, plural }: ResourceShort,
  full: Pick<ResourceFull, 'columns'>,
): readonly Column[] {
  const ofTheJob = OF_THE_JOB[plural]
  if (ofTheJob) return findColumns(full, ofTheJob)
  const isPlain = ({ key, kind }: Column) => key !== 'id' && kind !== 'any'
  const weightOf = ({ key, kind, target }: Column) => {
    if (key === label) return 0
    if (/^(?:created_at|updated_at)$/.test(key)) return key === 'updated_at' ? 8 : 9
    if (label === 'title' && key === 'name') return 10
    if (/^(?:description|comment|status|state|type|family|network)$/.test(key)) return 2
    if (target !== undefined && kind === 'text') return 3
    return { text: 4, boolean: 5, integer: 4, number: 4, time: 6, object: 7, records: 7, values: 6, any: 9 }[kind]
  }
  const ranked = listChoosable(full)
    .filter((column) => isPlain(column) || column.key === label)
    .toSorted((a, b) => weightOf(a) - weightOf(b))
  return ranked.slice(0, MOST_AT_FIRST)
}
