import { type Fields, findResource, type Registry, type Resource } from '../kernel/index.ts'

/**
 * Finds a resource of which these fields are a part, so that its records are typed by them. {@throws Error} for another
 * resource, which is a mistake in the program
 */
export function findDeclared<F extends Fields>(registry: Registry, name: string, fields: F): Resource<F> {
  const found = findResource(registry, name)
  if (!hasFields(found, fields)) throw new Error(`${name} is declared with other fields`)
  return found
}

function hasFields<F extends Fields>(resource: Resource, fields: F): resource is Resource<F> {
  return Object.keys(fields).every((name) => resource.fields[name] === fields[name])
}
