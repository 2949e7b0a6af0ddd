import { isBlank } from './blank.ts'
import { type Checked, checkValue, type Demands } from './check.ts'
import { type Match, type Order, parseMatch } from './matchers.ts'
import type { Refusal } from './refusals.ts'
import type { Value } from './values.ts'

/** A matcher as a request sends it; its value may be text that has still to be cast. */
export interface SentMatcher {
  readonly match: string | null
  readonly value: Value
  readonly omit: boolean
  /** The value comes from the database and is not cast again (notes C9). */
  readonly isStored?: boolean
}

/** What a matcher is checked against: the demands on its value, the other matchers, and which records exist. */
export interface MatcherContext extends Demands {
  readonly order: Order
  /** The match texts of the parameter's other matchers, which must not be used twice. */
  readonly taken: ReadonlySet<string>
  /** Tells whether a host has this name (that of its primary interface), or a host group this name or title. */
  readonly isHost: (name: string) => boolean
  readonly isHostgroup: (name: string) => boolean
  /** The setting interpolate_erb_in_parameters. */
  readonly templates: boolean
  /** Whether every host needs a value. */
  readonly required?: boolean
}

/** A matcher as it would be stored, with the reasons that forbid it. */
export interface CheckedMatcher {
  readonly match: string
  readonly value: Value
  readonly refusals: readonly Refusal[]
}

/** The maximum length of a match text, in characters. */
export const LONGEST_MATCH = 255

/**
 * Checks a matcher (smart-parameters §2.3, notes C11) and yields what refuses it; what is about the value comes first
 * when it is missing. With `omit` the value is not checked. {@throws RuleError}
 */
export function checkMatcher(sent: SentMatcher, surroundings: MatcherContext): CheckedMatcher {
  const match = parseMatch(sent.match ?? '')
  const ofMatch = validateMatch(match, surroundings).map((text): Refusal => ({ field: 'match', text }))
  if (sent.omit) return { match: match.text, value: sent.value, refusals: ofMatch }
  const { type, templates, required = false, ...demands } = surroundings
  const checked = checkValue(sent.value, { ...demands, type: sent.isStored ? null : type }, templates)
  const isMissing =
    !sent.isStored && (isEmpty(sent.value) || (required && type === 'boolean' && isBlankText(sent.value)))
  const texts = [...(isMissing ? ["can't be blank"] : []), ...validateValue(checked, surroundings)]
  const ofValue = texts.map((text): Refusal => ({ field: 'value', text }))
  const refusals = isMissing ? [...ofValue, ...ofMatch] : [...ofMatch, ...ofValue]
  return { match: match.text, value: checked.value, refusals }
}

function validateValue({ isOfType, refusal }: Checked, { type }: Demands): string[] {
  const messages = isOfType ? [] : [`is invalid ${type}`]
  return refusal === null ? messages : [...messages, refusal]
}

function validateMatch(match: Match, { order, taken, isHost, isHostgroup }: MatcherContext): string[] {
  if (match.text === '') return ["can't be blank", 'is invalid']
  const host = findValue(match, 'fqdn')
  const hostgroup = findValue(match, 'hostgroup')
  const attributes = match.attributes.join()
  const faults: [boolean, string][] = [
    [!match.complete, 'is invalid'],
    [match.text.length > LONGEST_MATCH, `is too long (maximum is ${LONGEST_MATCH} characters)`],
    [taken.has(match.text), 'has already been taken'],
    [host !== null && !isHost(host), `fqdn=${host} does not match an existing host`],
    [hostgroup !== null && !isHostgroup(hostgroup), `hostgroup=${hostgroup} does not match an existing host group`],
    [!order.some((line) => line.join() === attributes), `${attributes} does not exist in order field`],
  ]
  return faults.flatMap(([isFault, text]) => (isFault ? [text] : []))
}

function findValue({ attributes, values }: Match, attribute: string): string | null {
  const index = attributes.indexOf(attribute)
  return index < 0 ? null : (values[index] ?? null)
}

// An empty list, an empty map, false and a text of blanks are values; but a required boolean is not made of blanks.
function isEmpty(value: Value): boolean {
  return value === null || value === ''
}

function isBlankText(value: Value): boolean {
  return typeof value === 'string' && isBlank(value)
}
