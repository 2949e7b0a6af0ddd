import type { Definition, Registry, Resource } from './definition.ts'

/** The table name in the singular, `auth_source` for `auth_sources`: columns that point at the table begin with it. */
export function singularOf(table: string): string {
  return table === 'media' ? 'medium' : table.replace(/ies$/, 'y').replace(/(ss)es$|s$/, '$1')
}

/** The class-like name of a resource: the declared one, or one made from its name, `AuthSource` from `auth_source`. */
export function typeOf({ name, words }: Pick<Definition, 'name' | 'words'>): string {
  return words?.type ?? name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Finds a resource by its name in the singular. {@throws Error} for an unknown name, which is a mistake in the program */
export function findResource(registry: Registry, name: string): Resource {
  const found = registry.get(name)
  if (!found) throw new Error(`there is no resource named ${name}`)
  return found
}

/** Lists the links to one record each among these fields. */
export function listLinks({ links }: Pick<Resource, 'links'>, fields: readonly (string | undefined)[]) {
  return fields.flatMap((name) => links.get(name) ?? [])
}
