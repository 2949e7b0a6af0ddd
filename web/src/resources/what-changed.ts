import { nameOf, t } from '../words/words.ts'
import { findResourceOfType } from './resources.ts'

/** Names the kind of a changed record. */
export function kindOf(type: unknown): string {
  const resource = findResourceOfType(String(type))
  return resource ? nameOf(resource.plural, 'one') : String(type)
}

const ACTIONS = ['create', 'update', 'destroy', 'reveal'] as const

/** Names the action of an audit. */
export function wordOfAction(action: unknown): string {
  const known = ACTIONS.find((one) => one === action)
  return known ? t(`history.${known}`) : String(action)
}
