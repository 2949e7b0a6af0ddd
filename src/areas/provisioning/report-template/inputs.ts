import { parse } from 'yaml'
import { invalid } from '../../../errors.ts'
import { isMembers } from '../../../lib/values.ts'
import { BLANK } from '../../../requests/sent.ts'
import { headOf } from '../provisioning-template/metadata.ts'

/** What a template asks for before it is rendered, as the comment at its head says. */
export interface TemplateInput {
  readonly name: string
  readonly required: boolean
  readonly fallback: string | null
  /** The values of which it takes one; empty: any. */
  readonly options: readonly string[]
}

/** Lists the inputs that the comment at the head of a template names. */
function listInputs(template: string): readonly TemplateInput[] {
  const head = headOf(template)
  if (head === null) return []
  const found = readYaml(head.yaml)
  const inputs = isMembers(found) && Array.isArray(found.template_inputs) ? found.template_inputs : []
  return inputs.filter(isMembers).flatMap((input): TemplateInput[] => {
    const { name, required, options, default: fallback } = input
    if (typeof name !== 'string' || name === '') return []
    const choices = Array.isArray(options) ? options.map(String) : String(options ?? '').split(/\r?\n/)
    return [
      {
        name,
        required: required === true,
        fallback: fallback === undefined || fallback === null ? null : String(fallback),
        options: choices.map((one) => one.trim()).filter((one) => one !== ''),
      },
    ]
  })
}

/** Reads the values of a template's inputs; those it does not have are ignored. {@throws Failure} invalid */
export function readInputs(
  template: string,
  sent: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>()
  const messages: string[] = []
  for (const { name, required, fallback, options } of listInputs(template)) {
    const given = Object.hasOwn(sent, name) ? sent[name] : null
    if (!isPlain(given)) messages.push(`${name} must be text, a number, true or false`)
    const value = isPlain(given) && given !== null && given !== '' ? String(given) : fallback
    if (value === null && required) messages.push(`${name} ${BLANK}`)
    if (value !== null && options.length > 0 && !options.includes(value))
      messages.push(`${name} must be one of ${options.join(', ')}`)
    values.set(name, value)
  }
  if (messages.length > 0) throw invalid({ input_values: messages })
  return values
}

function isPlain(given: unknown): given is string | number | boolean | null {
  return given === null || ['string', 'number', 'boolean'].includes(typeof given)
}

function readYaml(yaml: string): unknown {
  try {
    return parse(yaml, { stringKeys: true, uniqueKeys: false, maxAliasCount: 10, logLevel: 'error' })
  } catch {
    return null // the parser throws for malformed text
  }
}
