import { expect } from 'vitest'
import { permissionOf } from '../../src/kernel/authorize.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import { resourceNamed, segmentOf } from '../support/given.ts'

/** Yields the body that refuses these fields; below `/content/api` it has another form (content-api §6). */
export function refusedFields(
  resource: Resource,
  errors: unknown,
  id: unknown = expect.toBeOneOf([null, expect.any(Number)]),
): unknown {
  return resource.surface === 'content'
    ? { displayMessage: expect.stringMatching(/^Validation failed: ./), errors }
    : { error: { id, errors } }
}

/** The messages of a refusal by field. */
// biome-ignore lint/suspicious/noExplicitAny: what came back may be anything
export function errorsOf(resource: Resource, body: any): unknown {
  return resource.surface === 'content' ? body.errors : body.error.errors
}

/** Yields the 404 for a record that does not exist, or is not visible to the caller. */
export function recordNotFound(resource: Resource, id: number, verb: 'view' | 'edit' | 'destroy'): unknown {
  const segment = segmentOf(resource, id)
  if (resource.surface === 'core')
    return { error: { message: `Resource ${resource.name} not found by id '${segment}'` } }
  const permission = permissionOf(resource, verb)
  return displayed(
    `Could not find ${resource.name} resource with id ${segment}. Potential missing permissions: ${permission}`,
  )
}

/** Yields the 404 for the parent of a path. */
export function parentNotFound(parent: string, id: number): unknown {
  const { surface, word } = resourceNamed(parent)
  if (surface === 'content') return displayed(`Couldn't find ${word.replaceAll('_', ' ')} '${id}'`)
  const words = parent.replaceAll('_', ' ')
  const called = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  const isContext = parent === 'organization' || parent === 'location'
  return { message: isContext ? `${called} with id ${id} not found` : `${called} not found by id '${id}'` }
}

function displayed(message: string): unknown {
  return { displayMessage: message, errors: [message] }
}
