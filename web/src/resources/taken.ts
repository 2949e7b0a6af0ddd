/** A host or a group, as lists and the API show them. */
type ApiRecord = Readonly<Record<string, unknown>>

/**
 * What hosts take over from a group that they are moved to, unless the request says otherwise: its configuration, and its
 * proxies even where it has none (core-api §1.5). A test compares this with what the service does.
 */
export const TAKEN_OVER = [
  ...['environment_id', 'compute_profile_id', 'realm_id'],
  ...['config_proxy_id', 'config_ca_proxy_id'],
] as const

/** What a host takes over only where it has none. */
const FILLED_IN = [
  ...['compute_resource_id', 'operatingsystem_id', 'architecture_id', 'medium_id', 'ptable_id'],
  ...['domain_id', 'subnet_id', 'subnet6_id', 'pxe_loader'],
] as const

/** All that a host can inherit from a group. */
export const INHERITABLE: readonly string[] = [...TAKEN_OVER, ...FILLED_IN]

/** A value of a host that changes with its group, in the words for people; null for none. */
export interface Taken {
  readonly key: string
  readonly before: string | null
  readonly after: string | null
}

/** Yields the values of a host that change when it is moved to the group. */
export function listTaken(group: ApiRecord, host: ApiRecord): Taken[] {
  const findGiven = (key: string) => group[key] ?? group[`inherited_${key}`] ?? null
  const isOther = (key: string) => findGiven(key) !== (host[key] ?? null)
  const isProxy = (key: string) => key.endsWith('_proxy_id')
  const keys = [
    ...TAKEN_OVER.filter((key) => isOther(key) && (isProxy(key) || findGiven(key) !== null)),
    ...FILLED_IN.filter((key) => isOther(key) && (host[key] ?? null) === null),
  ]
  return keys.map((key) => ({
    key,
    before: nameIn(host, key),
    after: nameIn(group, key) ?? nameOfGiven(findGiven(key)),
  }))
}

/** Yields the values to send with the group, so that the host keeps what it has. */
export function listKept(group: ApiRecord, host: ApiRecord): Record<string, unknown> {
  return Object.fromEntries(listTaken(group, host).map(({ key }) => [key, host[key] ?? null]))
}

/** Names the value of a record under a key; null for none. */
export function nameIn(record: ApiRecord, key: string): string | null {
  const base = key.replace(/_id$/, '')
  const proxy = record[base]
  const name =
    record[`${base}_name`] ?? (typeof proxy === 'object' && proxy !== null && 'name' in proxy ? proxy.name : null)
  return typeof name === 'string' ? name : nameOfGiven(record[key])
}

function nameOfGiven(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
