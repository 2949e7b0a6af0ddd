import { type Checked, checkValue, type Demands } from './check.ts'
import { type Match, type Order, parseMatch } from './matchers.ts'
import type { Value } from './values.ts'

/** A matcher as a request says it; a value may be text that is still to be cast. */
export interface SentMatcher {
  readonly match: string | null
  readonly value: Value
  readonly omit: boolean
  /** The value is the stored one, which is not cast again (notes C9). */
  readonly isStored?: boolean
}

/** What a matcher is checked against. */
export interface Surroundings extends Demands {
  readonly order: Order
  /** Match texts of the parameter's other matchers. */
  readonly taken: ReadonlySet<string>
  /** Whether a host has the name (of its primary interface), a host group the name or title. */
  readonly isHost: (name: string) => boolean
  readonly isHostgroup: (name: string) => boolean
  /** Setting interpolate_erb_in_parameters. */
  readonly templates: boolean
}

/** A matcher as it is to be stored, unless there are messages. */
export interface CheckedMatcher {
  readonly match: string
  readonly value: Value
  readonly messages: readonly string[]
}

/** The most characters of a match text. */
export const LONGEST_MATCH = 255

/**
 * Checks a matcher (smart-parameters §2.3, notes C11). Messages come by attribute, those of the value first when it is
 * missing. With omit a value is stored as it is. {@throws RuleError}
 */
export function checkMatcher(sent: SentMatcher, surroundings: Surroundings): CheckedMatcher {
  const match = parseMatch(sent.match ?? '')
  const ofMatch = matchMessages(match, surroundings)
  if (sent.omit) return { match: match.text, value: sent.value, messages: ofMatch }
  const { type, templates, ...demands } = surroundings
  const checked = checkValue(sent.value, { ...demands, type: sent.isStored ? null : type }, templates)
  const ofValue = valueMessages(checked, surroundings)
  const messages =
    !sent.isStored && isBlank(sent.value) ? ["Value can't be blank", ...ofValue, ...ofMatch] : [...ofMatch, ...ofValue]
  return { match: match.text, value: checked.value, messages }
}

function valueMessages({ isOfType, refusal }: Checked, { type }: Demands): string[] {
  const messages = isOfType ? [] : [`Value is invalid ${type}`]
  return refusal === null ? messages : [...messages, `Value ${refusal}`]
}

function matchMessages(match: Match, { order, taken, isHost, isHostgroup }: Surroundings): string[] {
  if (match.text === '') return ["Match can't be blank", 'Match is invalid']
  const host = valueFor(match, 'fqdn')
  const hostgroup = valueFor(match, 'hostgroup')
  const attributes = match.attributes.join()
  const faults: [boolean, string][] = [
    [!match.complete, 'is invalid'],
    [match.text.length > LONGEST_MATCH, `is too long (maximum is ${LONGEST_MATCH} characters)`],
    [taken.has(match.text), 'has already been taken'],
    [host !== null && !isHost(host), `fqdn=${host} does not match an existing host`],
    [hostgroup !== null && !isHostgroup(hostgroup), `hostgroup=${hostgroup} does not match an existing host group`],
    [!order.some((line) => line.join() === attributes), `${attributes} does not exist in order field`],
  ]
  return faults.flatMap(([isFault, text]) => (isFault ? [`Match ${text}`] : []))
}

function valueFor({ attributes, values }: Match, attribute: string): string | null {
  const index = attributes.indexOf(attribute)
  return index < 0 ? null : (values[index] ?? null)
}

// An empty list or map is a value, and so are false and blanks.
function isBlank(value: Value): boolean {
  return value === null || value === ''
}
