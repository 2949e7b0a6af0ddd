import { Failure } from '../../errors.ts'
import type { RecordName } from './key.ts'
import type { StoredKey } from './keys.ts'

/** What decides whether a host may register with a key, beside the key itself. */
export interface Circumstances {
  /** The location of the host and those it lies in; none: nowhere. */
  readonly locations: readonly number[]
  /** Keys whose places the host holds already: it keeps them. */
  readonly holds: ReadonlySet<number>
  /** Another machine than the one that holds them asks: what was for one registration is not for it. */
  readonly stranger?: boolean
}

/** Why a key does not let a host register now. */
export interface KeyRefusal {
  readonly key: RecordName
  readonly reason: 'disabled' | 'expired' | 'used' | 'full' | 'location'
  readonly message: string
}

/** Why these keys would refuse a host, in their order; each with the first reason that it has. */
export function listKeyRefusals(keys: readonly StoredKey[], circumstances: Circumstances): KeyRefusal[] {
  return keys.flatMap((key) => refusal(key, circumstances) ?? [])
}

/** {@throws Failure} conflict for places that are taken, unknown_reference for keys that cannot be used here and now */
export function refuseUnusableKeys(keys: readonly StoredKey[], circumstances: Circumstances): void {
  const [first] = listKeyRefusals(keys, circumstances)
  if (!first) return
  const taken = first.reason === 'full' || first.reason === 'used'
  throw new Failure(taken ? 'conflict' : 'unknown_reference', first.message)
}

function refusal(key: StoredKey, { locations, holds, stranger = false }: Circumstances): KeyRefusal | null {
  const { id, name } = key
  const because = (reason: KeyRefusal['reason'], message: string): KeyRefusal => ({
    key: { id, name },
    reason,
    message,
  })
  if (!key.enabled) return because('disabled', `Activation key '${name}' is disabled`)
  if (key.expired) return because('expired', `Activation key '${name}' has expired`)
  if (key.locations.length > 0 && !key.locations.some((one) => locations.includes(one.id))) {
    const where = key.locations.map((location) => `'${location.name}'`).join(', ')
    return because('location', `Activation key '${name}' is for hosts in these locations only: ${where}`)
  }
  const isKept = holds.has(id)
  if (key.single_use && key.used && (stranger || !isKept))
    return because('used', `Activation key '${name}' is for one registration, which has taken place`)
  if (!isKept && key.max_hosts !== null && key.usage_count >= key.max_hosts)
    return because('full', `Max Hosts (${key.max_hosts}) reached for activation key '${name}'`)
  return null
}
