import { partnerOf } from './compare.ts'
import { isList, isObject, type Json } from './exchanges.ts'
import { kindOf } from './kinds.ts'
import { numberOf } from './records.ts'
import { idOf, type Target } from './routes.ts'
import type { World } from './world.ts'

/** Remembers which of our records an answer shows in place of the recorded ones. */
export function learn(world: World, kind: string, recorded: Json, ours: Json, prefix: string): void {
  if (isList(recorded) && isList(ours)) {
    const sameLength = recorded.length === ours.length
    for (const [index, each] of recorded.entries()) {
      const partner = sameLength && !isNamed(each) ? ours[index] : partnerOf(each, ours)
      if (partner !== undefined) learn(world, kind, each, partner, prefix)
    }
    return
  }
  if (!isObject(recorded) || !isObject(ours)) return
  const [theirId, ourId] = [numberOf(recorded.id), numberOf(ours.id)]
  if (theirId !== null && ourId !== null) world.know(kind, theirId, ourId)
  for (const [key, value] of Object.entries(recorded)) {
    const found = ours[key]
    if (found === undefined || found === null) continue
    learn(world, key === 'results' ? kind : kindOf(key, prefix), value, found, prefix)
  }
}

function isNamed(value: Json): boolean {
  return isObject(value) && ('name' in value || 'login' in value || 'match' in value)
}

/** Forgets a deleted record. */
export function forgetDeleted(world: World, { steps, prefix, collection, action }: Target): void {
  const last = steps.at(-1)
  const id = last ? idOf(last.segment) : null
  if (last && id !== null && collection === null && action === null) world.forget(kindOf(last.collection, prefix), id)
}
