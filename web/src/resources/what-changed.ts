import { nameOf, t } from '../words/words.ts'
import { findResourceOfType } from './resources.ts'

/** What kind of record it was, in words. */
export function kindOf(type: unknown): string {
  const resource = findResourceOfType(String(type))
  return resource ? nameOf(resource.plural, 'one') : String(type)
}

/** What was done, in words. */
export function wordOfAction(action: unknown): string {
  return action === 'create' || action === 'update' || action === 'destroy' ? t(`history.${action}`) : String(action)
}
