import { isDeepStrictEqual } from 'node:util'
import { type Members, membersOf } from '../../lib/values.ts'
import type { Change } from './changes.ts'
import { INHERITED } from './kinds.ts'
import type { Names } from './names.ts'

/**
 * Loads the values that a host keeps although its new host group has others today: the old server would give it those of the
 * group.
 */
export async function loadKept(names: Names, { type, id, after }: Change): Promise<Members> {
  const group = after['hostgroup_id']
  if (type !== 'Host' || typeof group !== 'number') return {}
  const own = membersOf(await names.load(type, id))
  const given = membersOf(await names.load('Hostgroup', group))
  const kept = INHERITED.filter(
    (key) => !isDeepStrictEqual(own[key] ?? null, given[key] ?? given[`inherited_${key}`] ?? null),
  )
  return Object.fromEntries(
    kept.filter((key) => after[key] === undefined || after[key] === null).map((key) => [key, own[key] ?? null]),
  )
}
