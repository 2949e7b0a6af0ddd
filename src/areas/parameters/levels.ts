/** The kinds of records that parameters can belong to. */
export type ParameterOwner =
  | 'organization'
  | 'location'
  | 'domain'
  | 'subnet'
  | 'operatingsystem'
  | 'hostgroup'
  | 'host'

interface Level {
  readonly owner: ParameterOwner
  /** A parameter of a higher level replaces one with the same name of a lower level (smart-parameters §5.4). */
  readonly priority: number
  /** What clients call the owner. */
  readonly word: string
  /** The key under which requests that write the owner send its parameters. */
  readonly key: string
}

/**
 * The levels of parameters, from the most general to the host. Global parameters are below all of them, with priority
 * 0.
 */
export const LEVELS: readonly Level[] = [
  { owner: 'organization', priority: 10, word: 'organization', key: 'organization_parameters_attributes' },
  { owner: 'location', priority: 20, word: 'location', key: 'location_parameters_attributes' },
  { owner: 'domain', priority: 30, word: 'domain', key: 'domain_parameters_attributes' },
  { owner: 'subnet', priority: 40, word: 'subnet', key: 'subnet_parameters_attributes' },
  { owner: 'operatingsystem', priority: 50, word: 'operating system', key: 'os_parameters_attributes' },
  { owner: 'hostgroup', priority: 60, word: 'host group', key: 'group_parameters_attributes' },
  { owner: 'host', priority: 70, word: 'host', key: 'host_parameters_attributes' },
]

/** The level of parameters of this owner. */
export function levelOf(owner: ParameterOwner): Level {
  const found = LEVELS.find((level) => level.owner === owner)
  if (!found) throw new Error(`parameters do not belong to a ${owner}`)
  return found
}
