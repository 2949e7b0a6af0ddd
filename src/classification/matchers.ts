import { isBlank } from './blank.ts'
import { textOf, type Value } from './values.ts'

/** The lines of an order, best first; each is the list of attributes that a matcher of this rank names. */
export type Order = readonly (readonly string[])[]

/** What matchers and orders may ask about a host, real or supposed. */
export interface Subject {
  /**
   * Display texts of the host's own attributes (smart-parameters §4.3, notes C2); null for one that it does not have.
   */
  readonly attributes: ReadonlyMap<string, string | null>
  /** Its resolved parameters, rendered. */
  readonly parameters: ReadonlyMap<string, Value>
  readonly facts: ReadonlyMap<string, string>
  /** Names of parameters whose values explanations do not say. */
  readonly secret?: ReadonlySet<string>
}

/** One text that a matcher of the line may have to be chosen, and what it is made of. */
export interface Candidate {
  readonly match: string
  /** Rank of the line, from 0. */
  readonly line: number
  readonly attributes: readonly string[]
  readonly values: readonly string[]
}

/**
 * An order as it is stored: lower case, without blanks, empty elements, empty lines and repeated lines (notes C8).
 * Lines end with a newline, a carriage return or a tab.
 */
export function parseOrder(text: string): Order {
  const lines = text
    .toLowerCase()
    .split(/[\n\r\t]+/)
    .map((line) => line.split(',').flatMap((element) => element.replace(/\s/g, '') || []))
    .filter((line) => line.length > 0)
  return [...new Map(lines.map((line) => [line.join(), line])).values()]
}

/** The text of an order, as clients read it. */
export function printOrder(order: Order): string {
  return order.map((line) => line.join()).join('\n')
}

/** A match text taken apart: `os = Debian 12.4, Domain=x` is about os and domain. */
export interface Match {
  /** As it is stored and compared. */
  readonly text: string
  readonly attributes: readonly string[]
  readonly values: readonly string[]
  /** Every part has an attribute and a value. */
  readonly complete: boolean
}

/**
 * Reads a match text (smart-parameters §2.3, notes C11): attributes in lower case, of a value what stands behind its
 * last equals sign, both trimmed of ASCII blanks; commas, and equals signs of a part, do not count at their end.
 */
export function parseMatch(text: string): Match {
  const content = withoutLast(trimmed(text), ',')
  const parts = content === '' ? [] : content.split(',').map((part) => withoutLast(part, '='))
  const attributes = parts.map((part) => trimmed(part.split('=', 1)[0] ?? '').toLowerCase())
  const values = parts.map((part) => (part.includes('=') ? trimmed(part.slice(part.lastIndexOf('=') + 1)) : ''))
  return {
    text: matchText(attributes, values),
    attributes,
    values,
    complete: parts.length > 0 && ![...attributes, ...values].some(isBlank),
  }
}

/**
 * The text of an attribute for a host: its own, else a parameter's, else a fact's of that name, else empty
 * (smart-parameters §4.3).
 */
export function attributeText(subject: Subject, name: string): string {
  const own = subject.attributes.get(name)
  if (own !== undefined) return own ?? ''
  const parameter = subject.parameters.get(name)
  if (parameter !== undefined) return textOf(parameter)
  return subject.facts.get(name) ?? ''
}

/** Whether the text of an attribute is not to be said: it is that of a parameter which hides it. */
export function isSecret({ attributes, secret }: Subject, name: string): boolean {
  return !attributes.has(name) && secret?.has(name) === true
}

/**
 * Every match text that would be chosen for the host, best first: line by line, within a line the nearest ancestors
 * first (smart-parameters §4.4, §4.5, notes C1, C6). A line of which the host lacks an attribute yields nothing, nor
 * does a value with a comma or an equals sign: no stored match text can name it, so none is chosen by what a host says
 * of itself.
 */
export function candidates(order: Order, subject: Subject, inheritance: boolean): Candidate[] {
  return order.flatMap((attributes, line) => {
    const values = attributes.map((attribute) => attributeText(subject, attribute))
    const steps = inheritance ? staircase(attributes, values) : [values]
    return steps
      .filter((step) => step.every(isNameable))
      .map((step) => ({ match: matchText(attributes, step), line, attributes, values: step }))
  })
}

/** Whether a match text can name the value: it has no comma and no equals sign, and is not blank. */
export function isNameable(value: string): boolean {
  return !isBlank(value) && !/[,=]/.test(value)
}

/** Attributes that ancestors are tried for, in the order in which they are walked to their roots. */
export const INHERITED = ['hostgroup', 'organization', 'location']

// Not a product: the host group walks to its root with the others exact, stays there, then the organization walks,
// then the location. Each step is shorter than the one before, which is the order of smart-parameters §4.5.
function staircase(attributes: readonly string[], values: readonly string[]): (readonly string[])[] {
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

// A no-break space is part of a value.
function trimmed(text: string): string {
  let start = 0
  while (start < text.length && BLANKS.includes(text.charAt(start))) start++
  return withoutLast(text.slice(start), BLANKS)
}

const BLANKS = '\0\t\n\v\f\r '

// By hand: a pattern that looks for the end tries every place where it could begin.
function withoutLast(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
