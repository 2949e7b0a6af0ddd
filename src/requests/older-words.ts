import { isMembers, type Members } from '../lib/values.ts'
import type { Input } from './route.ts'

/**
 * Yields a request with present names in place of older ones, in the query and in the body, at its top and under `word`.
 * `aliases` has the present name of each older one; where both are sent, the present one wins.
 */
export function withPresentNames(input: Input, word: string, aliases: Readonly<Record<string, string>>): Input {
  const body = renameKeys(input.body, aliases)
  const root = body[word]
  return {
    ...input,
    query: renameKeys(input.query, aliases),
    body: isMembers(root) ? { ...body, [word]: renameKeys(root, aliases) } : body,
  }
}

function renameKeys(keys: Members, aliases: Readonly<Record<string, string>>): Members {
  const used = Object.entries(aliases).filter(([alias, name]) => keys[alias] !== undefined && keys[name] === undefined)
  return { ...keys, ...Object.fromEntries(used.map(([alias, name]) => [name, keys[alias]])) }
}
