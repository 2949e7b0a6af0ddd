import { createRequire } from 'node:module'
import { usage } from './failure.ts'

/** Evaluates a JMESPath expression on a value. */
export function search(value: unknown, expression: string): unknown {
  const library = createRequire(import.meta.url)('@jmespath-community/jmespath') as {
    readonly search: (value: unknown, expression: string) => unknown
  }
  try {
    return library.search(value, expression)
  } catch (error) {
    throw usage(`--query: ${error instanceof Error ? error.message : String(error)}`)
  }
}
