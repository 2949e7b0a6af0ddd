import { isTemplate, type Type } from './cast.ts'
import { printJson } from './json.ts'
import { printYaml } from './print-yaml.ts'
import type { Value } from './values.ts'

/**
 * Formats a value for a form in which it is edited (smart-parameters §3.3): lists and json as JSON, maps and yaml as YAML
 * without the `---` line, everything else unchanged. Casting the text yields the value again.
 */
export function editable(type: Type | null, value: Value): Value {
  if (value === null || isTemplate(value)) return value
  if (type === 'array' || type === 'json') return printJson(value)
  if (type === 'hash' || type === 'yaml') return printYaml(value).replace(/^---\n/, '')
  return value
}
