import { compileSearch, findField } from './compile.ts'
import { type CompletionOptions, operatorsOf, type ValueUse, valuesOf } from './completion-items.ts'
import { SearchError } from './error.ts'
import { printWord } from './print.ts'
import { MAX_SUGGESTIONS, MAX_TYPED } from './query.ts'
import type { SearchField, SearchSchema } from './schema.ts'
import { type SymbolName, type SymbolToken, type Token, tokenize, type ValueToken } from './tokens.ts'

/** A possible continuation: `label` is the whole search with it, `part` the piece behind the last "and" or "or". */
export interface Suggestion {
  readonly completed: string
  readonly part: string
  readonly label: string
  readonly category: '' | 'Operators'
}

/**
 * Lists how a search that is being typed could continue (core-api §8.8): fields, operators, values, or "and" and "or".
 * {@throws SearchError} when the part before the word being typed is malformed
 */
export async function complete(
  schema: SearchSchema,
  prefix: string,
  options: CompletionOptions,
): Promise<Suggestion[]> {
  if (prefix.length > MAX_TYPED) throw new SearchError(`A search is completed up to ${MAX_TYPED} characters`)
  const tokens = tokenize(prefix)
  const typing = readTypedWord(prefix, tokens)
  const before = prefix.slice(0, typing?.at ?? prefix.length)
  compileSearch(schema, finishText(withoutLastField(schema, finishText(before))), options)
  const line: Line = { schema, options, tokens, prefix, typing }
  const items = await listItemsWithin(line)
  return items.slice(0, MAX_SUGGESTIONS).map((item) => buildSuggestion(`${before} ${item}`))
}

interface Line {
  readonly schema: SearchSchema
  readonly options: CompletionOptions
  readonly tokens: readonly Token[]
  readonly prefix: string
  readonly typing: ValueToken | null
}

const JOINING: readonly SymbolName[] = ['and', 'or', 'not']
const PRESENCE: readonly SymbolName[] = ['notnull', 'null']
const LISTING: readonly SymbolName[] = ['in', 'notin']
const COMPARING: readonly SymbolName[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'unlike', 'in', 'notin']

// The token in front of an open parenthesis tells what may stand in it: values of a list, or conditions.
async function listItemsWithin(line: Line): Promise<string[]> {
  const { tokens, typing } = line
  const begun = typing ? tokens.slice(0, -1) : tokens
  const opened = openParentheses(begun)
  if (opened.some((at) => is(begun[at - 1], ...COMPARING) && !is(begun[at - 1], ...LISTING))) return []
  const open = opened.at(-1) ?? -1
  if (is(begun[open - 1], ...LISTING)) return listValues(line, begun, open - 1)
  // Behind a field without an operator and a parenthesis, existing clients are offered operators.
  const isBeginning = open === begun.length - 1 && begun[open - 1]?.type === 'value'
  if (isBeginning && (typing || !isNamed(line, begun, open - 1))) return listFields(line, true)
  return listItems({ ...line, tokens: tokens.filter((token) => !is(token, 'lparen', 'rparen')) })
}

// Yields the positions of the parentheses that are still open.
function openParentheses(tokens: readonly Token[]): number[] {
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (is(token, 'lparen')) open.push(index)
    if (is(token, 'rparen')) open.pop()
  }
  return open
}

function isNamed({ schema }: Line, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  return token?.type === 'value' && !is(tokens[index - 1], ...COMPARING) && findField(schema, token.text) !== undefined
}

async function listItems(line: Line): Promise<string[]> {
  const { tokens, typing, prefix } = line
  const last = tokens.at(-1)
  if (!last) return listFields(line, true)
  // "and" may become a longer word, until a blank ends it.
  if (is(last, ...JOINING, ...PRESENCE) && last.end === prefix.length) return []
  if (is(last, ...JOINING)) return listFields(line, !is(last, 'not'))
  if (is(last, ...PRESENCE)) return listFields(line, false)
  if (is(last, ...COMPARING)) return listValues(line, tokens, tokens.length - 1)
  if (typing && is(tokens.at(-2), ...COMPARING)) return listValues(line, tokens, tokens.length - 2)
  if (is(tokens.at(-2), ...PRESENCE)) return typing ? listFields(line, false) : ['and', 'or']
  const named = findLastField(line)
  if (named) return listMatching(operatorsOf(named), typing)
  const first = tokens.length === 1 || is(tokens.at(-2), ...JOINING)
  return first ? listFields(line, true) : listMatching(['and', 'or'], typing)
}

// Yields the field whose name is complete and that still lacks its operator.
function findLastField({ schema, tokens, prefix }: Line): SearchField | undefined {
  const last = tokens.at(-1)
  const field = last?.type === 'value' ? findField(schema, last.text)?.field : undefined
  return field?.key && !prefix.endsWith(' ') ? undefined : field
}

async function listFields(line: Line, withPrefixes: boolean): Promise<string[]> {
  const { schema, typing } = line
  const typed = typing?.text ?? ''
  const names: string[] = []
  for (const field of schema.fields.filter(({ hidden }) => !hidden)) {
    for (const name of [field.name, ...(field.aliases ?? [])]) {
      names.push(...(await listFieldNames(line, field, name, typed)))
    }
  }
  const items = [...names.sort(byNameInQuotes), ...(withPrefixes ? ['not', 'has'] : [])]
  const found = listMatching(items, typing)
  if (found.length <= 10 || typed.includes('.')) return found
  // Of a long list only the parts before the dots are shown.
  return [...new Set(found.map((item) => item.split('.')[0] as string))]
}

async function listFieldNames({ options }: Line, field: SearchField, name: string, typed: string): Promise<string[]> {
  if (!field.key) return [`${name} `]
  if (!typed.includes('.')) return [`${name}.`]
  const wanted = { field, what: 'keys', key: null, typed: typed.slice(typed.indexOf('.') + 1), limit: 20 } as const
  if (!typed.startsWith(`${name}.`)) return []
  return (await options.values(wanted)).map((key) => `${printWord(`${name}.${key}`)} `)
}

// Lists values behind the operator at `at`, for the field in front of it.
async function listValues(line: Line, tokens: readonly Token[], at: number): Promise<string[]> {
  const [name, operator] = [tokens[at - 1], tokens[at]]
  const found = name?.type === 'value' ? findField(line.schema, name.text) : undefined
  if (!found || found.field.noCompletion) return []
  const use: ValueUse = is(operator, 'like', 'unlike') ? 'pattern' : is(operator, ...LISTING) ? 'item' : 'value'
  return listMatching(await valuesOf({ ...found, typed: line.typing?.text ?? '', use }, line.options), line.typing)
}

// Keeps what begins with the word being typed, ignoring case and quotes; * in it stands for anything.
function listMatching(items: readonly string[], typing: ValueToken | null): string[] {
  if (!typing) return [...items]
  const [first = '', ...others] = typing.text.toLowerCase().split('*')
  return items.filter((item) => {
    const text = item.toLowerCase().replace(/\\(.)/gs, '$1')
    const start = text.startsWith('"') && !first.startsWith('"') ? 1 : 0
    if (!text.startsWith(first, start)) return false
    let at = start + first.length
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return true
  })
}

// Yields the value at the very end: it is complete only when a blank, or a closing quote and a blank, follows.
function readTypedWord(prefix: string, tokens: readonly Token[]): ValueToken | null {
  const last = tokens.at(-1)
  return last?.type === 'value' && (last.open || last.end === prefix.length) ? last : null
}

// Removes a field at the end, which is no condition without its operator: not every field is searched for by a word alone.
function withoutLastField(schema: SearchSchema, text: string): string {
  const tokens = tokenize(text)
  const last = tokens.at(-1)
  const isField = last?.type === 'value' && !is(tokens.at(-2), ...COMPARING) && findField(schema, last.text)
  return isField ? text.slice(0, last.at) : text
}

// Removes operators at the end of a search that still lack an operand.
function finishText(text: string): string {
  const last = tokenize(text).findLast((token) => token.type === 'value' || token.symbol === 'rparen')
  return text.slice(0, last?.end ?? 0)
}

function buildSuggestion(label: string): Suggestion {
  const tokens = tokenize(label)
  const joining = tokens.findLast((token) => is(token, 'and', 'or') && /^\w/.test(token.text))
  // The blank before it belongs to the part, as existing clients expect.
  const cut = joining ? Math.max(joining.at - 1, 0) : 0
  const isOperator = is(tokens.at(-1), 'and', 'or', 'not', 'notnull')
  return {
    completed: label.slice(0, cut),
    part: label.slice(cut),
    label,
    category: isOperator ? 'Operators' : '',
  }
}

// Compares names as if none stood in quotes.
function byNameInQuotes(a: string, b: string): number {
  return byCodePoint(a.replace(/^"/, ''), b.replace(/^"/, ''))
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function is(token: Token | undefined, ...symbols: readonly SymbolName[]): token is SymbolToken {
  return token?.type === 'symbol' && symbols.includes(token.symbol)
}
