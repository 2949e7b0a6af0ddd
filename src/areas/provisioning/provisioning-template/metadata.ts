import { parse, stringify } from 'yaml'

/** What stands in the comment at the head of an exported template: YAML in `<%# … %>`. */
export interface Metadata {
  readonly name?: string
  readonly kind?: string
  readonly snippet?: boolean
  readonly description?: string
  /** Beginnings of titles of operating systems. */
  readonly oses?: readonly string[]
  readonly organizations?: readonly string[]
  readonly locations?: readonly string[]
}

const OWN = new Set(['name', 'snippet', 'description', 'model', 'kind', 'oses', 'organizations', 'locations'])

/** The text with this at its head, in place of what stood there; words there that are not ours stay. */
export function withMetadata(template: string, metadata: Readonly<Record<string, unknown>>): string {
  const head = headOf(template)
  const before = head ? read(head.yaml) : undefined
  const isHead = head !== null && isPlain(before)
  const others = isHead ? Object.entries(before).filter(([key]) => !OWN.has(key)) : []
  const yaml = stringify({ ...metadata, ...Object.fromEntries(others) }, { indentSeq: false })
  return `<%#\n${yaml}-%>\n${isHead ? template.slice(head.length) : template}`
}

/** Reads it; null when it is no YAML, or more than anybody writes. A text without it has none. Keys of other types than they should be are left out. */
export function parseMetadata(template: string): Metadata | null {
  const head = headOf(template)
  if (head === null) return {}
  const found = read(head.yaml)
  if (!isPlain(found)) return found === undefined ? null : {}
  return {
    ...textOf(found, 'name'),
    ...textOf(found, 'kind'),
    ...textOf(found, 'description'),
    ...(typeof found.snippet === 'boolean' && { snippet: found.snippet }),
    ...wordsOf(found, 'oses'),
    ...wordsOf(found, 'organizations'),
    ...wordsOf(found, 'locations'),
  }
}

const LONGEST = 5_000

/** The value of a YAML text, undefined when it is none. */
function read(yaml: string): unknown {
  if (yaml.length > LONGEST) return undefined
  try {
    // People copy heads of templates together: of a key that stands twice the last one counts.
    return parse(yaml, { stringKeys: true, uniqueKeys: false, maxAliasCount: 10, logLevel: 'error' }) ?? null
  } catch {
    return undefined // what the parser gives up on is no YAML for us
  }
}

function isPlain(found: unknown): found is Readonly<Record<string, unknown>> {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}

function headOf(template: string): { readonly yaml: string; readonly length: number } | null {
  if (!template.startsWith('<%#')) return null
  const end = template.indexOf('%>')
  if (end < 0) return null
  const yaml = template.slice(3, template[end - 1] === '-' ? end - 1 : end)
  return { yaml, length: template[end + 2] === '\n' ? end + 3 : end + 2 }
}

function textOf(found: Readonly<Record<string, unknown>>, key: string): Record<string, string> {
  const value = found[key]
  return typeof value === 'string' ? { [key]: value } : {}
}

function wordsOf(found: Readonly<Record<string, unknown>>, key: string): Record<string, string[]> {
  const value = found[key]
  return Array.isArray(value) ? { [key]: value.map(String) } : {}
}
