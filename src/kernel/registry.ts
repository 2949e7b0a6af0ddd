import type { Registry, Resource } from './definition.ts'

/** Finds a resource by name. {@throws Error} when it is not declared, which is a mistake in the program */
export function findResource(registry: Registry, name: string): Resource {
  const found = registry.get(name)
  if (!found) throw new Error(`there is no resource named ${name}`)
  return found
}
