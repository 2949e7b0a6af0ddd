import type { Group, ManifestAction, ManifestOption, OptionType } from '../../src/client/manifest.ts'
import {
  ACTION_WORDS,
  COMMAND_WORDS,
  FLAG_WORDS,
  GROUP_FLAGS,
  LINE_WORDS,
  ROUTE_WORDS,
  WITHOUT_VERB,
} from '../../src/words/commands.ts'
import type { Described } from './openapi.ts'
import type { Schema } from './text.ts'

/** The parts of a resource that tell how its records are named and found. */
export interface Named {
  readonly name: string
  readonly plural: string
  readonly word: string
  readonly path: string
  readonly label?: string | undefined
}

/** Writes the manifest of the command line's commands: a line for each option and each action. */
export function formatManifest(document: Described, resources: readonly Named[], server: readonly string[]): string {
  const options = new Interned()
  const groups = document.tags
    .map(({ name, description }) => [name, groupOf(name, description, document, resources, options)] as const)
    .filter(([, { actions }]) => Object.keys(actions).length > 0)
  const joinLines = (values: readonly string[]) => values.join(',\n')
  const grouped = groups.map(([name, { actions, ...facts }]) => {
    const each = Object.entries(actions).map(([word, action]) => `${JSON.stringify(word)}:${JSON.stringify(action)}`)
    return `${JSON.stringify(name)}:${JSON.stringify(facts).slice(0, -1)},"actions":{\n${joinLines(each)}}}`
  })
  const shared = options.values.map((option) => JSON.stringify(option))
  return `{"server":${JSON.stringify(server)},\n"flags":${JSON.stringify(FLAG_WORDS)},\n"lines":${JSON.stringify(LINE_WORDS)},\n"options":[\n${joinLines(shared)}],\n"groups":{\n${joinLines(grouped)}}}\n`
}

/** Yields the command for a route by its id; null for a route without one. */
export function verbOf(id: string): string | null {
  return shortOf(id) in WITHOUT_VERB
    ? null
    : `${wordsOfGroup(shortOf(id).split('.')[0] ?? '')[0]} ${wordsOfAction(id)[0]}`
}

class Interned {
  readonly values: ManifestOption[] = []
  readonly #known = new Map<string, number>()

  add(option: ManifestOption): number {
    const text = JSON.stringify(option)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#known.set(text, this.values.length)
    return this.values.push(option) - 1
  }
}

/** Yields `architectures.list` from `operatingsystems.architectures.list`. */
function shortOf(id: string): string {
  return id.split('.').slice(-2).join('.')
}

function wordsOfGroup(name: string): readonly string[] {
  return COMMAND_WORDS[name] ?? [singularOf(name).replaceAll('_', '-')]
}

function wordsOfAction(id: string): readonly string[] {
  const last = id.slice(id.lastIndexOf('.') + 1)
  return ROUTE_WORDS[shortOf(id)] ?? ACTION_WORDS[last] ?? [last.replaceAll('_', '-')]
}

function singularOf(plural: string): string {
  return plural === 'media' ? 'medium' : plural.replace(/ies$/, 'y').replace(/(x|ss|sh|ch)es$|s$/, '$1')
}

function pluralOf(word: string): string {
  if (word === 'medium') return 'media'
  return /(?:ss|x|ch|sh)$/.test(word) ? `${word}es` : `${word.replace(/([^aeiou])y$/, '$1ie')}s`
}

interface Found {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Described['paths'][string][string]
}

function groupOf(
  name: string,
  about: string,
  document: Described,
  resources: readonly Named[],
  options: Interned,
): Group {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ id: operation.operationId, method: method.toUpperCase(), path, operation },
    })),
  )
  const own = found.filter(({ operation, id }) => operation.tags[0] === name && isCommand(id))
  const resource = resources.find(({ plural }) => plural === name)
  const actions = new Map<string, ManifestAction>()
  for (const [short, variants] of Map.groupBy(own, ({ id }) => shortOf(id))) {
    const words = wordsOfAction(short)
    const [first = short] = words
    actions.set(first, actionOf(words, variants, document, resources, options))
  }
  return {
    words: wordsOfGroup(name),
    about,
    ...(resource?.label && { label: resource.label }),
    ...(GROUP_FLAGS[name] && { flags: GROUP_FLAGS[name] }),
    actions: Object.fromEntries(actions),
  }
}

function isCommand(id: string): boolean {
  return !(shortOf(id) in WITHOUT_VERB) && !id.endsWith('.auto_complete_search')
}

function actionOf(
  words: readonly string[],
  variants: readonly Found[],
  document: Described,
  resources: readonly Named[],
  options: Interned,
): ManifestAction {
  const [first] = variants.toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
  if (!first) throw new Error('a command without a route')
  const { operation, method } = first
  const query = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? document.components.parameters[nameOf(String(one.$ref))] : one,
  )
  const inQuery = query.flatMap((one) =>
    one?.in === 'query' ? [optionsOf(one.name, 'q', one.schema, one, first.path, resources)] : [],
  )
  const { wrap, properties, required } = bodyOf(operation, document)
  const inBody = Object.entries(properties).map(([key, schema]) =>
    optionsOf(key, 'b', schema, schema, first.path, resources, required.has(key), new Set(Object.keys(properties))),
  )
  const known = new Set([...inQuery, ...inBody].flat().map(([, key]) => key))
  const paths = listNeededPaths(variants, known)
  const inPath = [...new Set(paths.flatMap(parametersOf))]
    .filter((name) => name !== 'id')
    .map((name): ManifestOption[] => {
      const base = name.replace(/_id$/, '')
      const doc = name === base ? `Which ${base}.` : `The ${base.replaceAll('_', ' ')} it belongs to, by name or id.`
      const found = findContentTarget(base, first.path, resources)
      return [...new Set([base, name])].map((flag) =>
        trimOption([toDashed(flag), name, 'p', 's', doc, 0, 0, '', flag === name ? '' : found]),
      )
    })
  const type = Object.keys(operation.responses['200']?.content ?? {}).find((each) => each !== 'application/json')
  const every = [...inPath, ...inBody, ...inQuery].flat()
  return {
    words,
    about: operation.summary,
    method,
    paths,
    ...(wrap && { wrap }),
    ...(type && { type }),
    options: withoutDoubles(every).map((option) => options.add(option)),
  }
}

/** Keeps one option for each flag: of several the one that takes names, which people know. */
function withoutDoubles(options: readonly ManifestOption[]): ManifestOption[] {
  const chosen = new Map<string, ManifestOption>()
  for (const option of options) {
    const [flag, key, place] = option
    const known = chosen.get(flag)
    // An option that the path needs comes first.
    const isBetter =
      known?.[2] !== 'p' &&
      place === 'b' &&
      (/_names?$/.test(key) || (option[8] !== undefined && !/_names?$/.test(known?.[1] ?? '')))
    if (!known || isBetter) chosen.set(flag, option)
  }
  return [...chosen.values()]
}

/** Lists the paths that may be needed; of those below several parents only one that finds the record by them. */
function listNeededPaths(variants: readonly Found[], known: ReadonlySet<string>): string[] {
  const sorted = variants.map(({ path }) => path).toSorted((a, b) => parametersOf(a).length - parametersOf(b).length)
  const kept: string[] = []
  for (const path of sorted) {
    const names = parametersOf(path)
    const isCovered = kept.some((other) => parametersOf(other).every((name) => names.includes(name)))
    const parents = names.filter((name) => name !== 'id')
    const narrows = path.endsWith('{id}') && parents.length === 1 && !parents.some((name) => known.has(name))
    if (!isCovered || narrows) kept.push(path.replace(/\{(\w+)\}/g, ':$1'))
  }
  return kept
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/[:{](\w+)/g)].map(([, name = '']) => name)
}

interface Body {
  readonly wrap: string | null
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: ReadonlySet<string>
}

function bodyOf(operation: Found['operation'], document: Described): Body {
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (!schema) return { wrap: null, properties: {}, required: new Set() }
  const outer = resolveSchema(schema, document)
  const properties = (outer.properties ?? {}) as Record<string, Schema>
  const [only, ...others] = Object.entries(properties)
  const inner = only && others.length === 0 ? resolveSchema(only[1], document) : undefined
  const isWrapped = only !== undefined && inner?.type === 'object' && inner.properties !== undefined
  const held = isWrapped ? inner : outer
  return {
    wrap: isWrapped ? only[0] : null,
    properties: (held.properties ?? {}) as Record<string, Schema>,
    required: new Set((held.required ?? []) as string[]),
  }
}

function resolveSchema(schema: Schema, document: Described): Schema {
  return typeof schema.$ref === 'string' ? (document.components.schemas[nameOf(schema.$ref)] ?? {}) : schema
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Derives the option of a key: `hostgroup_id` becomes `--hostgroup-id`, and `hostgroup_name` beside it `--hostgroup`. */
function optionsOf(
  key: string,
  place: 'b' | 'q',
  schema: Schema,
  { description }: Schema,
  path: string,
  resources: readonly Named[],
  required = false,
  keys: ReadonlySet<string> = new Set(),
): ManifestOption[] {
  const { type: typed, values, isNullable } = typeOf(schema)
  const doc = sentenceOf(String(description ?? ''))
  // Query parameters are texts; the description of a switch begins with `true`.
  const type = place === 'q' && doc.startsWith('`true` ') ? 'b' : typed
  const rest = [required ? 1 : 0, isNullable ? 1 : 0, values] as const
  const flags = flagsOf(key, keys)
  const own = flags.map((flag): ManifestOption => trimOption([flag, key, place, type, doc, ...rest]))
  const base = key.replace(/_id(s?)$/, '')
  const named = `${base}_name${key.endsWith('s') ? 's' : ''}`
  if (base === key || keys.has(named)) return own
  const word = toDashed(key.endsWith('s') ? pluralOf(base) : base)
  if (place === 'q')
    return [...own, trimOption([word, key, place, type, doc, 0, 0, '', findContentTarget(base, path, resources)])]
  const target = targetOf(base, path, resources)
  if (!target) return own
  return [...own, [word, key, place, type === 'li' ? 'ls' : 's', doc, 0, 0, '', `${target.path}?${target.label}`]]
}

/** Yields where names of content are searched for, because its paths take ids only. */
function findContentTarget(base: string, path: string, resources: readonly Named[]): string {
  const target = base === 'organization' ? undefined : targetOf(base, path, resources)
  return target?.path.startsWith('/content/') ? `${target.path}?${target.label}` : ''
}

function targetOf(base: string, path: string, resources: readonly Named[]): Named | undefined {
  const last = resources.filter(({ name, word, label }) => label && [name, word].includes(base))
  const prefix = path.startsWith('/content/') ? '/content/' : '/api/'
  return last.find((one) => one.path.startsWith(prefix)) ?? last[0]
}

function flagsOf(key: string, keys: ReadonlySet<string>): string[] {
  const linked = /^(.+)_name(s?)$/.exec(key)
  const base = linked?.[1] ?? ''
  const isLink = linked !== null && keys.has(`${base}_id${linked[2]}`)
  return isLink ? [toDashed(linked[2] ? pluralOf(base) : base)] : [toDashed(key)]
}

function toDashed(key: string): string {
  return key.replace(/\?$/, '').replaceAll('_', '-')
}

function trimOption(option: ManifestOption): ManifestOption {
  const values: unknown[] = [...option]
  while (values.length > 5 && !values.at(-1)) values.pop()
  return values as unknown as ManifestOption // only optional trailing elements are missing
}

function typeOf(schema: Schema): { type: OptionType; values: string; isNullable: boolean } {
  const choices = (Array.isArray(schema.anyOf) ? schema.anyOf : [schema]) as Schema[]
  const isNull = ({ type }: Schema) => type === 'null'
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]) as unknown[]
  const isNullable = choices.some(isNull) || types.includes('null')
  const real = choices.filter((one) => !isNull(one))
  const [one = {}] = real.length > 1 ? real.filter(({ type }) => type === 'array') : real
  const named = (Array.isArray(one.type) ? one.type : [one.type]).filter((type) => type !== 'null')
  const listed = Array.isArray(one.enum) ? one.enum.filter((value) => value !== null && value !== '') : []
  return {
    type: named.length === 1 ? simplifyType(String(named[0]), one) : 'j',
    values: listed.join('|'),
    isNullable,
  }
}

const SIMPLE: Readonly<Record<string, OptionType>> = { string: 's', integer: 'i', number: 'n', boolean: 'b' }

function simplifyType(type: string, schema: Schema): OptionType {
  if (type === 'array') {
    const item = (schema.items ?? {}) as Schema
    if (item.type === 'integer') return 'li'
    return item.type === 'string' ? 'ls' : 'j'
  }
  if (type === 'object') return schema.properties ? 'j' : 'm'
  return SIMPLE[type] ?? 'j'
}

function sentenceOf(text: string): string {
  const [sentence = ''] = text.split(/(?<=\.)\s/)
  const [first = ''] = sentence.length > 100 ? sentence.split(/(?=;\s)/) : [sentence]
  return first.length > 100 ? `${first.slice(0, 97)}...` : first.replace(/(?<![.!?])$/, '.')
}
