import { Failure } from '../../errors.ts'
import type { RecordName } from './key.ts'
import type { StoredKey } from './keys.ts'

/** Facts beside the key that decide whether a host may register with it. */
export interface Circumstances {
  /** Ids of the host's location and its ancestors; empty: it has none. */
  readonly locations: readonly number[]
  /** Keys at which the host holds a place, which it keeps. */
  readonly holds: ReadonlySet<number>
  /** Whether another machine than the registered host asks; used keys for one registration are refused to it. */
  readonly stranger?: boolean
}

/** The reason why a key refuses a host. */
export interface KeyRefusal {
  readonly key: RecordName
  readonly reason: 'disabled' | 'expired' | 'used' | 'full' | 'location'
  readonly message: string
}

/** Lists the keys that refuse a host, in order, each with the first reason. */
export function listKeyRefusals(keys: readonly StoredKey[], circumstances: Circumstances): KeyRefusal[] {
  return keys.flatMap((key) => findRefusal(key, circumstances) ?? [])
}

/**
 * Refuses a registration with keys that cannot be used. {@throws Failure} conflict for full keys, unknown_reference for
 * others
 */
export function refuseUnusableKeys(keys: readonly StoredKey[], circumstances: Circumstances): void {
  const [first] = listKeyRefusals(keys, circumstances)
  if (!first) return
  const taken = first.reason === 'full' || first.reason === 'used'
  throw new Failure(taken ? 'conflict' : 'unknown_reference', first.message)
}

function findRefusal(key: StoredKey, { locations, holds, stranger = false }: Circumstances): KeyRefusal | null {
  const { id, name } = key
  const buildRefusal = (reason: KeyRefusal['reason'], message: string): KeyRefusal => ({
    key: { id, name },
    reason,
    message,
  })
  if (!key.enabled) return buildRefusal('disabled', `Activation key '${name}' is disabled`)
  if (key.expired) return buildRefusal('expired', `Activation key '${name}' has expired`)
  if (key.locations.length > 0 && !key.locations.some((one) => locations.includes(one.id))) {
    const where = key.locations.map((location) => `'${location.name}'`).join(', ')
    return buildRefusal('location', `Activation key '${name}' is for hosts in these locations only: ${where}`)
  }
  const isKept = holds.has(id)
  if (key.single_use && key.used && (stranger || !isKept))
    return buildRefusal('used', `Activation key '${name}' is for one registration, which has taken place`)
  if (!isKept && key.max_hosts !== null && key.usage_count >= key.max_hosts)
    return buildRefusal('full', `Max Hosts (${key.max_hosts}) reached for activation key '${name}'`)
  return null
}
