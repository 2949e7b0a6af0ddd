import { type Resource, readAttributes, type Sent } from '../kernel/index.ts'
import { isMembers } from '../lib/values.ts'

/**
 * Yields a body with its keys changed. One that cannot be read stays as it is: it is refused where bodies are, after
 * whatever the path names has been found.
 */
export function changeAttributes(resource: Resource, body: Sent, change: (attributes: Sent) => Sent): Sent {
  if (!isMembers(body[resource.word] ?? {})) return body
  return { [resource.word]: change(readAttributes(resource, body)) }
}
