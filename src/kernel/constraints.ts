import { createConflict, type DatabaseError, isConflict, toDatabaseError } from '../database/failures.ts'
import { Failure, invalid } from '../errors.ts'
import { CONSTRAINT_MESSAGES } from '../requests/sent.ts'
import type { BoundField, Resource } from './definition.ts'

/**
 * Does work, and turns a violated constraint into the error of the field that it guards, as if the field had been checked
 * before: requests may race. Constraints are named `<table>_<column>_<key|fkey|check>`. {@throws Failure} invalid, conflict
 */
export async function withFieldErrors<Result>(
  resource: Resource,
  id: number | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const refused = toDatabaseError(error)
    throw (refused && translateError(resource, id, refused)) ?? error
  }
}

function translateError(resource: Resource, id: number | null, error: DatabaseError): Failure | undefined {
  if (isConflict(error)) return createConflict(error)
  const message = CONSTRAINT_MESSAGES[error.code]
  if (!message) return undefined
  const guarded = findGuarded(resource, error.constraint ?? '')
  const taken = error.code === '23505' ? guarded?.field.taken : undefined
  const key = guarded?.key ?? 'base'
  return new Failure('invalid', error.message, invalid({ [key]: [taken ?? message] }, id).details, { cause: error })
}

function findGuarded(resource: Resource, constraint: string): BoundField | undefined {
  const columns = resource.placed.filter(({ column }) => constraint.startsWith(`${resource.table}_${column?.name}_`))
  return columns.toSorted((a, b) => (b.column?.name.length ?? 0) - (a.column?.name.length ?? 0))[0]
}
