/** Says which member of a value is wrong and what is allowed there, for schemas that have no message of their own. */
export function formatIssue(issue: Issue): string | undefined {
  const allowed = describeAllowed(issue)
  const member = issue.path?.findLast((part) => typeof part === 'string')
  return allowed && (member === undefined ? `must be ${allowed}` : `${member} must be ${allowed}`)
}

/** The parts of a zod issue that messages are made of. */
interface Issue {
  readonly code?: string | undefined
  readonly path?: readonly PropertyKey[] | undefined
  readonly [fact: string]: unknown
}

function describeAllowed({ code, expected, origin, minimum, maximum, inclusive, values }: Issue): string | undefined {
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
