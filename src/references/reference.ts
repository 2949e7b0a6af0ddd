/** A reference to a secret that another program keeps, such as `vault:secret/web/db#password` or `file:db-password`. */
export type Reference =
  | { readonly kind: 'vault'; readonly text: string; readonly path: string; readonly key: string }
  | { readonly kind: 'file'; readonly text: string; readonly name: string }

const VAULT = /^vault:((?:[^\s/#?%\\\p{Cc}]+\/)+[^\s/#?%\\\p{Cc}]+)#([^\s#\p{Cc}]+)$/u
const FILE = /^file:(\w[\w.-]{0,254})$/
const LONGEST = 1024

/** Parses a value as a reference; null for all other values. */
export function parseReference(value: unknown): Reference | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null
  const [, path, key] = VAULT.exec(value) ?? []
  if (path !== undefined && key !== undefined && !path.split('/').some(isRelative))
    return { kind: 'vault', text: value, path, key }
  const name = FILE.exec(value)?.[1]
  return name === undefined ? null : { kind: 'file', text: value, name }
}

function isRelative(segment: string): boolean {
  return segment === '.' || segment === '..'
}
