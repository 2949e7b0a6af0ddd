import { readFileSync } from 'node:fs'
import { ROOT } from './root.ts'

/** The version of the program, from its package.json. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
  return String(version)
}
