import { readJson } from '../../../classification/json.ts'
import { isList, isMap, type Value } from '../../../classification/values.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import { Float, type HostValue, Sym, type TemplateFunction } from '../../../templates/index.ts'
import type { EffectiveParameter } from '../../parameters/index.ts'

/** The effective parameters of a host, as templates read them. */
export interface TemplateParameters {
  readonly values: ReadonlyMap<string, HostValue>
}

/** Masks hidden values except those of the parameters with these ids. */
export function maskHiddenParameters(
  found: readonly EffectiveParameter[],
  shown: ReadonlySet<number>,
): TemplateParameters {
  return {
    values: new Map(
      found.map(({ id, name, value, hidden_value }) => [
        name,
        hidden_value && !shown.has(id) ? HIDDEN : value === null ? null : toGiven(readJson(value)),
      ]),
    ),
  }
}

/** Builds `host_param` and its variants, as functions and as methods of `@host`. */
export function buildParameterFunctions({ values }: TemplateParameters): Readonly<Record<string, TemplateFunction>> {
  return {
    host_param: ({ args: [name, otherwise] }) => values.get(readName(name)) ?? otherwise,
    'host_param!': ({ args: [name], fail }) =>
      values.get(readName(name)) ?? fail(`the host has no parameter '${readName(name)}'`),
    'host_param_true?': ({ args: [name, otherwise] }) => parseTruth(values.get(readName(name)) ?? otherwise) === true,
    'host_param_false?': ({ args: [name, otherwise] }) => parseTruth(values.get(readName(name)) ?? otherwise) === false,
  }
}

/** Converts a typed value for templates, where a JavaScript number is a float and a bigint an integer. */
export function toGiven(value: Value): HostValue {
  if (typeof value === 'number') return new Float(value)
  if (isList(value)) return value.map(toGiven)
  if (isMap(value)) return new Map([...value].map(([key, each]) => [key, toGiven(each)]))
  return value
}

/** Reads a name given as text or as a symbol. */
function readName(name: HostValue): string {
  return name instanceof Sym ? name.name : String(name)
}

const TRUE = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const FALSE = new Set(['false', 'f', 'no', 'n', 'off', '0'])

/** Whether a value means true or false; null for anything else (smart-parameters §3.1). */
function parseTruth(value: HostValue): boolean | null {
  const word = typeof value === 'object' ? '' : String(value).toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : null
}
