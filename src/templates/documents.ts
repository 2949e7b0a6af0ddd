import { parseDocument } from 'yaml'
import { keyOf } from './compare.ts'
import { fail } from './error.ts'
import { requireText } from './methods/table.ts'
import type { BuiltIn, Rendering } from './rendering.ts'
import { prettyJsonOf, yamlOf } from './text.ts'
import { Hash, type Value } from './values.ts'

/** Functions that parse and format documents. */
export const DOCUMENT_FUNCTIONS: readonly (readonly [name: string, run: BuiltIn])[] = [
  ['parse_json', ([source], rendering) => read(requireText(source), 'JSON', parseJson, rendering)],
  ['parse_yaml', ([source], rendering) => read(requireText(source), 'YAML', parseYaml, rendering)],
  ['to_json', ([value = null], rendering) => prettyJsonOf(value, rendering)],
  ['to_yaml', ([value = null], rendering) => yamlOf(value, rendering)],
]

/** The maximum length of a document in characters, because parsing time grows with it. */
const MAX_DOCUMENT = 200_000

function read(source: string, kind: string, parse: (source: string) => unknown, rendering: Rendering): Value {
  if (source.length > MAX_DOCUMENT) return fail(`a ${kind} document may have ${MAX_DOCUMENT} characters`)
  rendering.meter.step(source.length)
  let parsed: unknown
  try {
    parsed = parse(source)
  } catch (error) {
    if (error instanceof RangeError) throw error // a stack overflow, which ends the rendering
    return fail(`this is no ${kind}: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'it cannot be read'}`)
  }
  return convert(parsed, kind, rendering)
}

/** Parses JSON; numbers with a fraction or exponent become reals, others integers. */
function parseJson(source: string): unknown {
  const reviveNumbers = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const written = context?.source
    return typeof value === 'number' && written !== undefined && /^-?\d{1,400}$/.test(written) ? BigInt(written) : value
  }
  return JSON.parse(source, reviveNumbers)
}

function parseYaml(source: string): unknown {
  const document = parseDocument(source, { version: '1.1', intAsBigInt: true, prettyErrors: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) throw problem
  return document.toJS({ mapAsMap: true, maxAliasCount: 20 })
}

function convert(parsed: unknown, kind: string, rendering: Rendering): Value {
  rendering.meter.step()
  if (parsed === null || parsed === undefined) return null
  if (Array.isArray(parsed)) {
    rendering.meter.elements(parsed.length)
    return rendering.meter.within(() => parsed.map((each) => convert(each, kind, rendering)))
  }
  if (typeof parsed === 'object' && !(parsed instanceof Map) && Object.getPrototypeOf(parsed) !== Object.prototype)
    return fail(`the ${kind} document has a value that templates do not know`)
  if (typeof parsed === 'object') {
    const pairs = parsed instanceof Map ? parsed.entries() : Object.entries(parsed)
    return rendering.meter.within(() => hashOf(pairs, kind, rendering))
  }
  if (typeof parsed === 'string' || typeof parsed === 'boolean' || typeof parsed === 'bigint') return parsed
  return typeof parsed === 'number' ? parsed : fail(`the ${kind} document has a value that templates do not know`)
}

function hashOf(pairs: Iterable<[unknown, unknown]>, kind: string, rendering: Rendering): Hash {
  const hash = new Hash()
  for (const [key, value] of pairs) {
    rendering.meter.elements(2)
    const name = convert(key, kind, rendering)
    hash.entries.set(keyOf(name, rendering), [name, convert(value, kind, rendering)])
  }
  return hash
}
