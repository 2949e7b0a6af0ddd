import type { Draft, Resource, Stored } from '../../../kernel/index.ts'
import { listAdded } from '../role/escalation.ts'

/** The consequence of setting a field of another user. */
type Consequence =
  /** The author can then act as that user. */
  | 'speaks for'
  /** The user can act again. */
  | 'speaks for when false'
  /** The user can do more than before. */
  | 'raises'
  | 'set by administrators only'
  | 'harmless'

/** Every field of a user that can be written, with its consequence (docs/decisions/0016-speaking-for-others.md). */
export const CONSEQUENCES: Readonly<Record<string, Consequence>> = {
  login: 'speaks for',
  auth_source: 'speaks for',
  password: 'speaks for',
  disabled: 'speaks for when false',
  roles: 'raises',
  organizations: 'raises',
  locations: 'raises',
  admin: 'set by administrators only',
  // Users are not found by their address, and nothing that lets somebody in is sent to it.
  mail: 'harmless',
  mail_enabled: 'harmless',
  firstname: 'harmless',
  lastname: 'harmless',
  description: 'harmless',
  current_password: 'harmless',
  timezone: 'harmless',
  locale: 'harmless',
  default_location: 'harmless',
  default_organization: 'harmless',
}

/** Whether a change lets its author act as the user, or enables a user who could not act. */
export function isImpersonation({ placed }: Resource, stored: Stored, draft: Draft): boolean {
  return placed.some((one) => {
    const value = draft[one.name]
    if (value === undefined || value === stored[one.key]) return false
    const consequence = CONSEQUENCES[one.name]
    return consequence === 'speaks for' || (consequence === 'speaks for when false' && value === false)
  })
}

/** Whether a write gives a user roles, organizations or locations. */
export function isEscalation(stored: Stored | null, draft: Draft): boolean {
  return Object.entries(CONSEQUENCES).some(
    ([name, consequence]) => consequence === 'raises' && listAdded(stored?.[name], draft[name]).length > 0,
  )
}
