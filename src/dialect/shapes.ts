import type { Answer, Route } from '../kernel/route.ts'
import { nameIn, sentenceInTheirs } from './names.ts'
import { searchIn } from './searches.ts'
import { NAME_PARTS, NODE_PARAMETERS } from './table.ts'

export type Handle = Route['handle']

/** What stands between a client and a handler. */
export type Step = (inner: Handle) => Handle

/** What changes answers that are no records: their words stand in places that no schema names. */
export function shapeOf({ id, group }: Route): Step | null {
  if (id.endsWith('.auto_complete_search')) return suggestionsOf(group)
  return id.endsWith('hosts.enc') ? classification : null
}

/** Suggestions say how the search goes on, as the client typed it. */
function suggestionsOf(group: string): Step {
  return (inner) => async (ctx, input) => {
    const typed = typeof input.query.search === 'string' ? input.query.search : ''
    const begun = beginning(typed)
    const search = searchIn('ours', typed.slice(0, typed.length - begun.length), group)
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
  return last !== '' && nameIn('ours', last) === last && BEGINNINGS.some((word) => word.startsWith(last)) ? last : ''
}

const BEGINNINGS = Object.values(NAME_PARTS)

function suggestionIn(suggestion: Suggestion, group: string): Suggestion {
  return Object.fromEntries(
    Object.entries(suggestion).map(([key, text]) => [
      key,
      key === 'error' ? sentenceInTheirs(text) : key === 'category' ? text : suggested(text, group),
    ]),
  )
}

/** A field alone, without an operator, is a word of its own. */
function suggested(text: string, group: string): string {
  return /^\s*\w+\s*$/.test(text)
    ? text.replace(/\w+/, (name) => nameIn('theirs', name))
    : searchIn('theirs', text, group)
}

/** The document of a host (smart-parameters §5.1): some of its parameters are from here, and have names of their own. */
const classification: Step = (inner) => async (ctx, input) => {
  const answer = await inner(ctx, input)
  const { data } = documentOf(answer)
  if (!data) return answer
  const parameters = Object.fromEntries(
    Object.entries(data.parameters).map(([name, value]) => [
      NODE_PARAMETERS.test(name) ? nameIn('theirs', name) : name,
      value,
    ]),
  )
  return { ...answer, body: { data: { ...data, parameters } } }
}

interface Document {
  readonly data?: { readonly parameters: Readonly<Record<string, unknown>> }
}

/** It is kept as text where it has been made before. */
function documentOf({ body }: Answer): Document {
  if (body === undefined) return {}
  return (typeof body === 'string' ? JSON.parse(body) : body) as Document // its schema says so
}
