import { parse, stringify } from 'yaml'

/**
 * The description at the head of an exported template: YAML in `<%# … %>`, at the beginning or behind the line that tells
 * programs what the file is (`#!ipxe`, `<?xml … ?>`).
 */
export interface Metadata {
  readonly name?: string
  readonly kind?: string
  readonly snippet?: boolean
  readonly os_family?: string
  readonly description?: string
  /** Beginnings of the titles of operating systems. */
  readonly oses?: readonly string[]
  readonly organizations?: readonly string[]
  readonly locations?: readonly string[]
}

const OWN = new Set([
  'name',
  'snippet',
  'description',
  'model',
  'kind',
  'os_family',
  'oses',
  'organizations',
  'locations',
])

/** Puts the description at the head of a text in place of an earlier one, of which unknown keys stay. */
export function withMetadata(template: string, metadata: Readonly<Record<string, unknown>>): string {
  const head = headOf(template)
  const before = head ? read(head.yaml) : undefined
  const isHead = head !== null && isPlain(before)
  const others = isHead ? Object.entries(before).filter(([key]) => !OWN.has(key)) : []
  const yaml = stringify({ ...metadata, ...Object.fromEntries(others) }, { indentSeq: false })
  const { start, end } = isHead ? head : { start: 0, end: 0 }
  return `${template.slice(0, start)}<%#\n${yaml}-%>\n${template.slice(end)}`
}

/**
 * Parses the description of a text: empty when there is none, null when it is no YAML or too long. Keys of a wrong type
 * are left out.
 */
export function parseMetadata(template: string): Metadata | null {
  const head = headOf(template)
  if (head === null) return {}
  const found = read(head.yaml)
  if (!isPlain(found)) return found === undefined ? null : {}
  return {
    ...textOf(found, 'name'),
    ...(found.kind !== SNIPPET && textOf(found, 'kind')),
    ...textOf(found, 'description'),
    ...textOf(found, 'os_family'),
    ...(found.kind === SNIPPET && { snippet: true }),
    ...(typeof found.snippet === 'boolean' && { snippet: found.snippet }),
    ...wordsOf(found, 'oses'),
    ...wordsOf(found, 'organizations'),
    ...wordsOf(found, 'locations'),
  }
}

/** What collections write as the kind of snippets, which have none. */
const SNIPPET = 'snippet'

const LONGEST = 5_000

/** Parses YAML; undefined when it is malformed. */
function read(yaml: string): unknown {
  if (yaml.length > LONGEST) return undefined
  try {
    // People merge heads of templates by hand: of a repeated key the last one counts.
    return parse(yaml, { stringKeys: true, uniqueKeys: false, maxAliasCount: 10, logLevel: 'error' }) ?? null
  } catch {
    return undefined // the parser throws for malformed text
  }
}

function isPlain(found: unknown): found is Readonly<Record<string, unknown>> {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}

const BEFORE_HEAD = /^(?:(?:#!.*|<\?xml.*\?>|[ \t]*)\r?\n){0,3}(?=<%#)/

/** Finds the comment at the head of a template, and where it starts and ends. */
export function headOf(
  template: string,
): { readonly yaml: string; readonly start: number; readonly end: number } | null {
  const start = BEFORE_HEAD.exec(template)?.[0].length ?? 0
  if (!template.startsWith('<%#', start)) return null
  const close = template.indexOf('%>', start)
  if (close < 0) return null
  const yaml = template.slice(start + 3, template[close - 1] === '-' ? close - 1 : close)
  return { yaml, start, end: template[close + 2] === '\n' ? close + 3 : close + 2 }
}

function textOf(found: Readonly<Record<string, unknown>>, key: string): Record<string, string> {
  const value = found[key]
  return typeof value === 'string' ? { [key]: value } : {}
}

function wordsOf(found: Readonly<Record<string, unknown>>, key: string): Record<string, string[]> {
  const value = found[key]
  return Array.isArray(value) ? { [key]: value.map(String) } : {}
}
