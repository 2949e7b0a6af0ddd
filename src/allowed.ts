/** What is wrong with a value whose schema has no sentence of its own for that: which member, and what is allowed. */
export function sayWhatIsAllowed(issue: Issue): string | undefined {
  const allowed = allowedBy(issue)
  const member = issue.path?.findLast((part) => typeof part === 'string')
  return allowed && (member === undefined ? `must be ${allowed}` : `${member} must be ${allowed}`)
}

/** What a schema found, as far as it is told of. */
interface Issue {
  readonly code?: string | undefined
  readonly path?: readonly PropertyKey[] | undefined
  readonly [fact: string]: unknown
}

function allowedBy({ code, expected, origin, minimum, maximum, inclusive, values }: Issue): string | undefined {
  if (code === 'invalid_type') return KINDS[String(expected)]
  if (code === 'invalid_value' && Array.isArray(values)) return `one of ${values.join(', ')}`
  const counted = origin === 'string' ? ' characters' : origin === 'array' ? ' items' : ''
  if (code === 'too_small') return `${inclusive ? 'at least' : 'greater than'} ${minimum}${counted}`
  if (code === 'too_big') return `${inclusive ? 'at most' : 'less than'} ${maximum}${counted}`
  return undefined
}

const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'an integer',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
