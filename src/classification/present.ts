import { isTemplate, type Type } from './cast.ts'
import { printJson } from './json.ts'
import { printYaml } from './print-yaml.ts'
import type { Value } from './values.ts'

/**
 * A value as it is put into a form to be edited (smart-parameters §3.3): lists and json as JSON, maps and yaml as YAML
 * without a first line that says nothing, everything else as it is. Casting the text gives the value again.
 */
export function editable(type: Type | null, value: Value): Value {
  if (value === null || isTemplate(value)) return value
  if (type === 'array' || type === 'json') return printJson(value)
  if (type === 'hash' || type === 'yaml') return printYaml(value).replace(/^---\n/, '')
  return value
}
