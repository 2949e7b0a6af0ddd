import { parseExact } from '../lib/lossless-json.ts'
import type { Answer, Route } from '../requests/route.ts'
import { createValueTranslator, translateName, translateNodeParameter, translateSentence } from './names.ts'
import { translateLastField, translateSearch } from './searches.ts'
import { NAME_PARTS } from './table.ts'
import { translateAnswer } from './translate.ts'

/** The handler of a route. */
export type Handle = Route['handle']

/** A translation between a client and a handler. */
export type Step = (inner: Handle) => Handle

/** Builds the step for answers that are not records and whose words no schema names; null for all others. */
export function buildShapeStep({ id, group }: Route): Step | null {
  if (id.endsWith('.auto_complete_search')) return suggestionsOf(group)
  if (id.endsWith('hosts.enc')) return classification
  return group === 'audits' ? changesInTheirs : null
}

/** Translates suggestions, which continue the search as the client typed it. */
function suggestionsOf(group: string): Step {
  return (inner) => async (ctx, input) => {
    const typed = typeof input.query.search === 'string' ? input.query.search : ''
    const begun = cutLastWord(typed)
    const search = translateBegun(typed.slice(0, typed.length - begun.length), group)
    const answer = await inner(ctx, { ...input, query: { ...input.query, search } })
    const found = answer.body as readonly Suggestion[] // the answer of suggestions
    const worded = found.map((suggestion) => translateSuggestion(suggestion, group))
    const fitting = worded.filter(({ label = '' }) => begun === '' || label.trim().startsWith(typed.trim()))
    return { ...answer, body: fitting }
  }
}

/** Translates a search that is being typed; a field at its end lacks its operator, and counts as one with the blank behind it. */
function translateBegun(typed: string, group: string): string {
  const ours = translateSearch('ours', typed, group)
  if (!ours.endsWith(' ')) return ours
  const compared = translateSearch('ours', `${typed}= `, group)
  return compared.endsWith('= ') ? compared.slice(0, -2) : ours
}

type Suggestion = Readonly<Record<string, string>>

/**
 * Yields the search without a last word that begins one of their fields: it begins no field of ours, so that all are asked
 * for.
 */
function cutLastWord(typed: string): string {
  const [last = ''] = /\w+$/.exec(typed) ?? []
  return last !== '' && translateName('ours', last) === last && BEGINNINGS.some((word) => word.startsWith(last))
    ? last
    : ''
}

const BEGINNINGS = Object.values(NAME_PARTS)

function translateSuggestion(suggestion: Suggestion, group: string): Suggestion {
  return Object.fromEntries(
    Object.entries(suggestion).map(([key, text]) => [
      key,
      PLAIN_PARTS[key]?.(text, group) ?? translateSuggested(text, group),
    ]),
  )
}

/** Translations of the parts of a suggestion that do not end with a field. */
const PLAIN_PARTS: Readonly<Record<string, (text: string, group: string) => string>> = {
  error: translateSentence,
  category: (text) => text,
  completed: (text, group) => translateSearch('theirs', text, group),
}

/** Translates the suggestion, which stands at the end: a field, unless a value is compared there. */
function translateSuggested(text: string, group: string): string {
  return translateLastField('theirs', translateSearch('theirs', text, group))
}

/**
 * Translates the node document of a host (smart-parameters §5.1): parameters that the service adds have other names for
 * clients.
 */
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

/** Yields the document of an answer, which may be cached text. */
function documentOf({ body }: Answer): Document {
  if (body === undefined) return {}
  return (typeof body === 'string' ? parseExact(body) : body) as Document // according to its schema
}

/** Translates the changes of audits: names of attributes, which no schema has, and their values. */
const changesInTheirs: Step = (inner) => async (ctx, input) => {
  const answer = await inner(ctx, input)
  const { results, ...audit } = (answer.body ?? {}) as Audit & { readonly results?: readonly Audit[] } // one audit, or a page
  const body = results ? { ...audit, results: results.map(toVendorChanges) } : toVendorChanges(audit)
  return answer.body === undefined ? answer : { ...answer, body }
}

interface Audit {
  readonly audited_changes?: Readonly<Record<string, unknown>>
}

function toVendorChanges<One extends Audit>(audit: One): One {
  if (!audit.audited_changes) return audit
  const changes = Object.entries(toVendorOwner(audit.audited_changes)).map(([name, values]) => {
    const word = createValueTranslator('theirs', name, '')
    return [translateName('theirs', name), word ? translateAnswer(values, { word }) : values]
  })
  return { ...audit, audited_changes: Object.fromEntries(changes) }
}

type Changes = Readonly<Record<string, unknown>>

const KINDS = [
  ['owner_user_id', 'User'],
  ['owner_usergroup_id', 'Usergroup'],
] as const

/**
 * Translates the owner of a host in an audit: clients know an id and a type, while this service has one column for each
 * type.
 */
function toVendorOwner(changes: Changes): Changes {
  const [[user], [group]] = KINDS
  if (!(user in changes || group in changes)) return changes
  const { [user]: users, [group]: groups, ...others } = changes
  if (!Array.isArray(users ?? groups)) return { ...others, ...ownerOf(users, groups) }
  const [before, after] = [0, 1].map((moment) => ownerOf(readMoment(users, moment), readMoment(groups, moment)))
  return {
    ...others,
    owner_id: [before?.owner_id, after?.owner_id],
    ...(before?.owner_type !== after?.owner_type && { owner_type: [before?.owner_type, after?.owner_type] }),
  }
}

function ownerOf(...ids: readonly unknown[]): { readonly owner_id: unknown; readonly owner_type: string | null } {
  const kind = ids.findIndex((id) => typeof id === 'number')
  return { owner_id: ids[kind] ?? null, owner_type: KINDS[kind]?.[1] ?? null }
}

/** Yields the value before (0) or after (1) a change; null for what did not change. */
function readMoment(values: unknown, moment: number): unknown {
  return Array.isArray(values) ? values[moment] : null
}
