/** Derives the flag and the variable of a key of the configuration from its name. */
export function deriveNames(name: string) {
  const variable = `MILLWRIGHT_${name.toUpperCase().replaceAll('-', '_')}`
  return { name, flag: `--${name}` as string | null, variable, secret: false }
}
