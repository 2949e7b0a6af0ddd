import type { Registry, Resource } from './definition.ts'

/** Finds a resource by its name in the singular. {@throws Error} for an unknown name, which is a mistake in the program */
export function findResource(registry: Registry, name: string): Resource {
  const found = registry.get(name)
  if (!found) throw new Error(`there is no resource named ${name}`)
  return found
}
