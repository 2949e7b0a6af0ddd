import type { Operation } from '../field.ts'
import type { Resource } from '../resource.ts'

/** Whether callers without the permission may do this with the records that are their own. */
export function permitsOwn(resource: Resource, operation: Operation): boolean {
  const { records } = resource
  return records?.own !== undefined && (records.ownOperations ?? ['show', 'update']).includes(operation)
}
