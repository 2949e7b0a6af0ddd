/** The fields that a choice of the state replaces. */
const OF_STATE = ['global_status', 'status.failed', 'status.pending', 'build']
const VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s()]+)`

/**
 * Yields a search with a condition about a field: it replaces an earlier one about the same field, and is added with "and" to
 * the rest of the search.
 */
export function withCondition(search: string, field: string, condition: string): string {
  const fields = field === 'status' ? OF_STATE : [field]
  const names = fields.map((one) => one.replaceAll('.', '\\.')).join('|')
  const earlier = new RegExp(`^(?:(?:${names}) (?:=|>) ${VALUE}|not has last_report)$`)
  const parts = topPartsOf(search)
  if (parts === null) return `(${search}) and ${condition}`
  const kept = parts.filter((part) => !(field === 'status' || !part.startsWith('not ') ? earlier.test(part) : false))
  return [...kept, condition].join(' and ')
}

/** Takes a search apart at its "and"s outside of brackets and quotes; null where it has an "or" there, or no end. */
function topPartsOf(search: string): string[] | null {
  const parts = ['']
  let depth = 0
  for (const [token] of search.trim().matchAll(/"(?:[^"\\]|\\.)*"|\(|\)|\s+|[^\s()"]+|"/g)) {
    if (token === '"') return null
    depth += token === '(' ? 1 : token === ')' ? -1 : 0
    if (depth === 0 && /^or$|^\|\|?$/i.test(token)) return null
    if (depth === 0 && /^and$|^&&?$/i.test(token)) parts.push('')
    else parts.push(`${parts.pop()}${token}`)
  }
  return depth === 0 ? parts.map((part) => part.trim()).filter((part) => part !== '') : null
}
