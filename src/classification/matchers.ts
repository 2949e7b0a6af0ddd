import { isBlank } from './blank.ts'
import { textOf, type Value } from './values.ts'

/** The lines of an order, best first; each line lists the attributes that a matcher of this rank names. */
export type Order = readonly (readonly string[])[]

/** What matchers and orders may ask about a real or supposed host. */
export interface Subject {
  /**
   * Display texts of the host's own attributes (smart-parameters §4.3, notes C2); null for an attribute that the host does
   * not have.
   */
  readonly attributes: ReadonlyMap<string, string | null>
  /** The host's resolved parameters, rendered. */
  readonly parameters: ReadonlyMap<string, Value>
  readonly facts: ReadonlyMap<string, string>
  /** Names of parameters whose values explanations must not quote. */
  readonly secret?: ReadonlySet<string>
}

/** One match text that selects a matcher for the host, and the attributes it consists of. */
export interface Candidate {
  readonly match: string
  /** The rank of the line in the order, from 0. */
  readonly line: number
  readonly attributes: readonly string[]
  readonly values: readonly string[]
}

/**
 * Parses an order into the form that is stored: lower case, without blanks, empty elements, empty lines and repeated lines
 * (notes C8). A line ends with a newline, a carriage return or a tab.
 */
export function parseOrder(text: string): Order {
  const lines = text
    .toLowerCase()
    .split(/[\n\r\t]+/)
    .map((line) => line.split(',').flatMap((element) => element.replace(/\s/g, '') || []))
    .filter((line) => line.length > 0)
  return [...new Map(lines.map((line) => [line.join(), line])).values()]
}

/** A parsed match text: `os = Debian 12.4, Domain=x` names the attributes os and domain. */
export interface Match {
  /** The normalized text, which is stored and compared. */
  readonly text: string
  readonly attributes: readonly string[]
  readonly values: readonly string[]
  /** Every part has an attribute and a value. */
  readonly complete: boolean
}

/**
 * Parses a match text (smart-parameters §2.3, notes C11). Attributes become lower case; the value of a part is what follows
 * its last equals sign. Both are trimmed of ASCII blanks; commas at the end of the text, and equals signs at the end of a
 * part, are ignored.
 */
export function parseMatch(text: string): Match {
  const content = withoutLast(trimText(text), ',')
  const parts = content === '' ? [] : content.split(',').map((part) => withoutLast(part, '='))
  const attributes = parts.map((part) => trimText(part.split('=', 1)[0] ?? '').toLowerCase())
  const values = parts.map((part) => (part.includes('=') ? trimText(part.slice(part.lastIndexOf('=') + 1)) : ''))
  return {
    text: matchText(attributes, values),
    attributes,
    values,
    complete: parts.length > 0 && ![...attributes, ...values].some(isBlank),
  }
}

/**
 * Yields the value of an attribute for a host as text: the host's own, else that of a parameter, else that of a fact of this
 * name, else the empty text (smart-parameters §4.3).
 */
export function attributeTextOf(subject: Subject, name: string): string {
  const own = subject.attributes.get(name)
  if (own !== undefined) return own ?? ''
  const parameter = subject.parameters.get(name)
  if (parameter !== undefined) return textOf(parameter)
  return subject.facts.get(name) ?? ''
}

/** Tells whether an attribute's text must not be quoted because it comes from a parameter with a hidden value. */
export function isSecret({ attributes, secret }: Subject, name: string): boolean {
  return !attributes.has(name) && secret?.has(name) === true
}

/**
 * Lists every match text that would select a matcher for the host, best first: line by line, within a line the nearest
 * ancestors first (smart-parameters §4.4, §4.5, notes C1, C6). A line is skipped when the host lacks one of its attributes,
 * or when a value contains a comma or an equals sign: a match text cannot express such a value, so that a host cannot select
 * a matcher by facts that it reports itself.
 */
export function listCandidates(order: Order, subject: Subject, inheritance: boolean): Candidate[] {
  return order.flatMap((attributes, line) => {
    const values = attributes.map((attribute) => attributeTextOf(subject, attribute))
    const steps = inheritance ? buildStaircase(attributes, values) : [values]
    return steps
      .filter((step) => step.every(isNameable))
      .map((step) => ({ match: matchText(attributes, step), line, attributes, values: step }))
  })
}

/** Tells whether a match text can express the value: it is not blank and has no comma and no equals sign. */
export function isNameable(value: string): boolean {
  return !isBlank(value) && !/[,=]/.test(value)
}

/** Attributes whose ancestors are tried, too, in the order in which their trees are climbed. */
export const INHERITED = ['hostgroup', 'organization', 'location']

// Not all combinations: the host group climbs to its root while the others stay exact and then stays there, then the
// organization climbs, then the location (smart-parameters §4.5).
function buildStaircase(attributes: readonly string[], values: readonly string[]): (readonly string[])[] {
  const steps: (readonly string[])[] = [values]
  let current = values
  for (const name of INHERITED) {
    const index = attributes.indexOf(name)
    if (index < 0) continue
    let title = current[index] ?? ''
    while (title.includes('/')) {
      title = title.slice(0, title.lastIndexOf('/'))
      current = current.with(index, title)
      steps.push(current)
    }
  }
  return steps
}

function matchText(attributes: readonly string[], values: readonly string[]): string {
  if (attributes.length === 1) return `${attributes[0]}=${values[0]}`
  return attributes.map((attribute, index) => `${attribute}=${values[index]}`).join()
}

// Only ASCII blanks are trimmed; a no-break space is part of a value.
function trimText(text: string): string {
  let start = 0
  while (start < text.length && BLANKS.includes(text.charAt(start))) start++
  return withoutLast(text.slice(start), BLANKS)
}

const BLANKS = '\0\t\n\v\f\r '

// Done by hand: a regular expression anchored at the end would try every starting position, which takes quadratic time.
function withoutLast(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
