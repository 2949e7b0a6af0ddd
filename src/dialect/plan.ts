import type { z } from 'zod'
import { createValueTranslator, type Into, translateName, translateSentence } from './names.ts'
import { translateSearch } from './searches.ts'
import { SEARCHES, SENTENCES, VALUES } from './table.ts'

/**
 * How to translate a value, computed once from its schema. Where a schema has no key to translate there is no plan, and the
 * value is not inspected; values that the schema leaves open (what users store) are never changed.
 */
export interface TranslationPlan {
  /** For an object: how to translate these keys; all others stay. */
  readonly keys?: ReadonlyMap<string, PlanPart>
  /** For a map: how to translate each value. */
  readonly each?: TranslationPlan
  /** For a text: translates the word. */
  readonly word?: (value: string) => string
}

interface PlanPart {
  readonly name: string
  readonly plan: TranslationPlan | null
}

/**
 * Builds the plan for values of a schema; null where nothing is translated. The value stands under `key` of `within`, which
 * is a resource or the key of an object.
 */
export function buildTranslationPlan(schema: z.ZodType, into: Into, within: string, key = ''): TranslationPlan | null {
  const { def } = schema as unknown as { def: Definition } // every zod schema has a definition of one of these types
  switch (def.type) {
    case 'object':
      return buildObjectPlan(def.shape, into, key === '' || key === RESULTS ? within : key)
    case 'array':
      return buildTranslationPlan(def.element, into, within, key)
    case 'record': {
      const each = buildTranslationPlan(def.valueType, into, within, key)
      return each && { each }
    }
    case 'union':
      return mergePlans(def.options.map((option) => buildTranslationPlan(option, into, within, key)))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return buildTranslationPlan(def.innerType, into, within, key)
    case 'pipe':
      return mergePlans([
        buildTranslationPlan(def.in, into, within, key),
        buildTranslationPlan(def.out, into, within, key),
      ])
    case 'string':
    case 'enum': {
      const place = `${within}.${key}`
      if (into === 'theirs' && SENTENCES.includes(place)) return { word: translateSentence }
      const word = SEARCHES.includes(place) ? searchWords(into) : createValueTranslator(into, key, within)
      return word && { word }
    }
    // Open JSON is translated only where the table has words for exactly this key.
    case 'lazy': {
      const word = `${within}.${key}` in VALUES ? createValueTranslator(into, key, within) : null
      return word && { word }
    }
    default:
      return null
  }
}

/** The key of a page that holds its records, which are of the resource of the page. */
const RESULTS = 'results'

/** The definitions of schemas that contain others. */
type Definition =
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.ZodType>> }
  | { readonly type: 'array'; readonly element: z.ZodType }
  | { readonly type: 'record'; readonly valueType: z.ZodType }
  | { readonly type: 'union'; readonly options: readonly z.ZodType[] }
  | { readonly type: Wrapping; readonly innerType: z.ZodType }
  | { readonly type: 'pipe'; readonly in: z.ZodType; readonly out: z.ZodType }
  | { readonly type: 'string' | 'enum' | 'lazy' | 'unknown' }
type Wrapping = 'optional' | 'nullable' | 'default' | 'prefault' | 'readonly' | 'nonoptional' | 'catch'

function buildObjectPlan(
  shape: Readonly<Record<string, z.ZodType>>,
  into: Into,
  within: string,
): TranslationPlan | null {
  const keys = new Map<string, PlanPart>()
  for (const [ours, schema] of Object.entries(shape)) {
    const theirs = translateName('theirs', ours)
    // The search of a page is returned as it was sent.
    const plan = RESULTS in shape && ours === 'search' ? null : buildTranslationPlan(schema, into, within, ours)
    const [from, name] = into === 'theirs' ? [ours, theirs] : [theirs, ours]
    if (from !== name || plan) keys.set(from, { name, plan })
  }
  return keys.size > 0 ? { keys } : null
}

/** Creates the function that translates searches stored in records, which may be for any resource. */
function searchWords(into: Into): (search: string) => string {
  return (search) => translateSearch(into, search, null)
}

function mergePlans(plans: readonly (TranslationPlan | null)[]): TranslationPlan | null {
  const found = plans.filter((plan) => plan !== null)
  if (found.length < 2) return found[0] ?? null
  const keys = new Map(found.flatMap((plan) => [...(plan.keys ?? [])]))
  const { each } = found.find((plan) => plan.each) ?? {}
  const { word } = found.find((plan) => plan.word) ?? {}
  return { ...(keys.size > 0 && { keys }), ...(each && { each }), ...(word && { word }) }
}
