import { readFileSync } from 'node:fs'

/** The version of the program, from its package.json. */
export function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return String(version)
}
