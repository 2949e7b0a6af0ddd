import type { Registry, Resource } from './definition.ts'

/** The resource of that name. {@throws Error} where none is declared, which is a mistake of the program */
export function findResource(registry: Registry, name: string): Resource {
  const found = registry.get(name)
  if (!found) throw new Error(`there is no resource named ${name}`)
  return found
}
