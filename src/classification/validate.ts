import { RE2JS } from 're2js'
import { textOf, type Value } from './values.ts'

/**
 * A further demand on values of a parameter beside their type; a rule without a type demands nothing (smart-parameters
 * §1.6).
 */
export interface ValidatorRule {
  readonly type: 'list' | 'regexp'
  readonly rule: string
}

/**
 * Yields null for a valid value, otherwise the rest of a sentence that begins with the attribute's name. `shown` replaces
 * the value in that sentence.
 */
export type Validator = (value: Value, shown?: string) => string | null

/**
 * Compiles a rule. A list accepts values whose text is one of its items, and everything when it is blank; a regexp accepts
 * texts that contain a match. Regexps take time linear in the text, so there are no back references; `^` and `$` match at
 * the ends of lines, `\A` and `\z` at those of the text. {@throws RuleError}
 */
export function compileValidator({ type, rule }: ValidatorRule): Validator {
  if (type === 'regexp') return createRegexpValidator(rule)
  const items = rule.split(',').map((item) => item.trim())
  if (rule.trim() === '') return () => null
  return (value, shown = textOf(value)) => (items.includes(textOf(value)) ? null : `${shown} is not one of ${rule}`)
}

/** A rule that cannot be parsed; the message gives the reason in the words of the regexp engine. */
export class RuleError extends Error {
  override readonly name = 'RuleError'
}

const LONGEST = 10_000

function createRegexpValidator(rule: string): Validator {
  const pattern = compileRule(rule)
  // No value is blank text.
  return (value) => (typeof (value ?? '') === 'string' && pattern.test(String(value ?? '')) ? null : 'is invalid')
}

function compileRule(rule: string): RE2JS {
  if (rule.length > LONGEST) throw new RuleError(`the regexp is longer than ${LONGEST} characters`)
  try {
    return RE2JS.compile(withTextEnd(rule), RE2JS.MULTILINE | RE2JS.LOOKBEHINDS)
  } catch (error) {
    throw new RuleError(error instanceof Error ? error.message : String(error))
  }
}

// The engine does not know "\Z" (the end of the text or before its last newline) and "\h" (a hexadecimal digit).
function withTextEnd(rule: string): string {
  return rule.replace(/\\(.)/gs, (whole, letter: string) => {
    if (letter === 'Z') return '(?:\\n?\\z)'
    return letter === 'h' ? '[0-9a-fA-F]' : whole
  })
}
