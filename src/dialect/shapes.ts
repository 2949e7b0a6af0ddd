import { parseExact } from '../database/exact.ts'
import type { Answer, Route } from '../kernel/route.ts'
import { ownerInTheirs } from './audited-owners.ts'
import { createValueTranslator, translateName, translateNodeParameter, translateSentence } from './names.ts'
import { translateLastField, translateSearch } from './searches.ts'
import { NAME_PARTS } from './table.ts'
import { translateAnswer } from './translate.ts'

export type Handle = Route['handle']

/** What stands between a client and a handler. */
export type Step = (inner: Handle) => Handle

/** What changes answers that are no records: their words stand in places that no schema names. */
export function buildShapeStep({ id, group }: Route): Step | null {
  if (id.endsWith('.auto_complete_search')) return suggestionsOf(group)
  if (id.endsWith('hosts.enc')) return classification
  return group === 'audits' ? changesInTheirs : null
}

/** Suggestions say how the search goes on, as the client typed it. */
function suggestionsOf(group: string): Step {
  return (inner) => async (ctx, input) => {
    const typed = typeof input.query.search === 'string' ? input.query.search : ''
    const begun = beginning(typed)
    const search = translateSearch('ours', typed.slice(0, typed.length - begun.length), group)
    const answer = await inner(ctx, { ...input, query: { ...input.query, search } })
    const found = answer.body as readonly Suggestion[] // what suggestions are
    const worded = found.map((suggestion) => suggestionIn(suggestion, group))
    const fitting = worded.filter(({ label = '' }) => begun === '' || label.trim().startsWith(typed.trim()))
    return { ...answer, body: fitting }
  }
}

type Suggestion = Readonly<Record<string, string>>

/** The word at the end that one of theirs begins with: it begins no word of ours, so all are asked for. */
function beginning(typed: string): string {
  const [last = ''] = /\w+$/.exec(typed) ?? []
  return last !== '' && translateName('ours', last) === last && BEGINNINGS.some((word) => word.startsWith(last))
    ? last
    : ''
}

const BEGINNINGS = Object.values(NAME_PARTS)

function suggestionIn(suggestion: Suggestion, group: string): Suggestion {
  return Object.fromEntries(
    Object.entries(suggestion).map(([key, text]) => [key, PLAIN_PARTS[key]?.(text, group) ?? suggested(text, group)]),
  )
}

/** Parts of suggestions with no field at the end that would be one of ours. */
const PLAIN_PARTS: Readonly<Record<string, (text: string, group: string) => string>> = {
  error: translateSentence,
  category: (text) => text,
  completed: (text, group) => translateSearch('theirs', text, group),
}

/** What is suggested stands at the end: a field, where nothing is compared there. */
function suggested(text: string, group: string): string {
  return translateLastField('theirs', translateSearch('theirs', text, group))
}

/** The document of a host (smart-parameters §5.1): some of its parameters are from here, and have names of their own. */
const classification: Step = (inner) => async (ctx, input) => {
  const answer = await inner(ctx, input)
  const { data } = documentOf(answer)
  if (!data) return answer
  const parameters = Object.fromEntries(
    Object.entries(data.parameters).map(([name, value]) => [translateNodeParameter(name), value]),
  )
  return { ...answer, body: { data: { ...data, parameters } } }
}

interface Document {
  readonly data?: { readonly parameters: Readonly<Record<string, unknown>> }
}

/** The document in an answer, which may have been kept as text from an earlier answer. */
function documentOf({ body }: Answer): Document {
  if (body === undefined) return {}
  return (typeof body === 'string' ? parseExact(body) : body) as Document // its schema says so
}

/** What audits say was changed: names of attributes, which no schema has, and their values. */
const changesInTheirs: Step = (inner) => async (ctx, input) => {
  const answer = await inner(ctx, input)
  const { results, ...audit } = (answer.body ?? {}) as Audit & { readonly results?: readonly Audit[] } // of one, or a page
  const body = results ? { ...audit, results: results.map(changedInTheirs) } : changedInTheirs(audit)
  return answer.body === undefined ? answer : { ...answer, body }
}

interface Audit {
  readonly audited_changes?: Readonly<Record<string, unknown>>
}

function changedInTheirs<One extends Audit>(audit: One): One {
  if (!audit.audited_changes) return audit
  const changes = Object.entries(ownerInTheirs(audit.audited_changes)).map(([name, values]) => {
    const word = createValueTranslator('theirs', name, '')
    return [translateName('theirs', name), word ? translateAnswer(values, { word }) : values]
  })
  return { ...audit, audited_changes: Object.fromEntries(changes) }
}
