import { nameOf, t } from '../words/words.ts'
import { findResourceOfType } from './resources.ts'

/** Names the kind of a changed record. */
export function kindOf(type: unknown): string {
  const resource = findResourceOfType(String(type))
  return resource ? nameOf(resource.plural, 'one') : String(type)
}

/** Names the action of an audit. */
export function wordOfAction(action: unknown): string {
  return action === 'create' || action === 'update' || action === 'destroy' ? t(`history.${action}`) : String(action)
}
