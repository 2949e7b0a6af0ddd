import { formatReal, isList, isMap, type Value } from '../../src/classification/values.ts'
import { entriesOf, type Notation } from './recorded.ts'

/** How one of our values differs from a recorded one, place by place: the names of rules, or null for one that none names. */
export function differences(noted: Notation, ours: Value): (ValueRule | null)[] {
  if (Array.isArray(noted)) {
    if (!isList(ours) || ours.length !== noted.length) return [null]
    return noted.flatMap((item, index) => differences(item, ours[index] as Value)) // as long as the recorded one
  }
  if (noted !== null && typeof noted === 'object' && 'map' in noted) return isMap(ours) ? ofMaps(noted, ours) : [null]
  return isSame(noted, ours) ? [] : [reason(noted, ours)]
}

export type ValueRule = 'date' | 'symbol' | 'base-60' | 'comma' | 'word-case' | 'finite' | 'zero' | 'key'

function ofMaps(noted: Notation, ours: ReadonlyMap<string, Value>): (ValueRule | null)[] {
  const entries = entriesOf(noted)
  if (entries.every(([key]) => typeof key === 'string')) {
    if (entries.length !== ours.size) return [null]
    return entries.flatMap(([key, item]) => {
      const own = ours.get(String(key))
      return own === undefined ? [null] : differences(item, own)
    })
  }
  // Keys by position: some are numbers and the like, of which several may become the same text.
  const own = [...ours]
  if (own.length !== entries.length)
    return new Set(entries.map(([key]) => keyText(key))).size === own.length ? ['key'] : [null]
  const rest = entries.flatMap(([key, item], index) => {
    const [text, value] = own[index] as [string, Value] // as many
    const keys: (ValueRule | null)[] = keyText(key) === text ? [] : differences(key, text)
    return [...keys.map((rule) => rule ?? null), ...differences(item, value)]
  })
  return ['key', ...rest]
}

function keyText(key: Notation): string {
  if (key === null) return ''
  if (typeof key !== 'object') return String(key)
  if ('real' in key) return formatReal(Number(key['real']))
  return String(Object.values(key)[0])
}

function isSame(noted: Notation, ours: Value): boolean {
  if (typeof noted === 'number') return ours === BigInt(noted)
  if (noted === null || typeof noted !== 'object') return noted === ours
  if ('integer' in noted) return ours === BigInt(String(noted['integer']))
  return 'real' in noted && typeof ours === 'number' && Object.is(Number(noted['real']), ours)
}

function reason(noted: Notation, ours: Value): ValueRule | null {
  const [kind, content] =
    noted !== null && typeof noted === 'object' ? (Object.entries(noted)[0] ?? []) : [typeof noted, noted]
  if (kind === 'real' && Number(content) === 0 && ours === 0) return 'zero'
  if (typeof ours !== 'string') return null
  if (kind === 'date' || kind === 'time') return 'date'
  if (kind === 'symbol') return 'symbol'
  if (kind === 'real' && !Number.isFinite(Number(content))) return 'finite'
  if (kind === 'real' && content === 'Infinity') return 'finite'
  if (/^[-+]?[\d,_]+:[\d:.,_]+$/.test(ours)) return 'base-60'
  if (['number', 'integer', 'real'].includes(String(kind)) && ours.includes(',')) return 'comma'
  if ((noted === null || typeof noted === 'boolean') && /^(true|false|yes|no|on|off|null)$/i.test(ours))
    return 'word-case'
  return null
}
