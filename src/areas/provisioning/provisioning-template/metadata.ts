import { parse, stringify } from 'yaml'

/** The description at the head of an exported template: YAML in `<%# … %>`. */
export interface Metadata {
  readonly name?: string
  readonly kind?: string
  readonly snippet?: boolean
  readonly description?: string
  /** Beginnings of the titles of operating systems. */
  readonly oses?: readonly string[]
  readonly organizations?: readonly string[]
  readonly locations?: readonly string[]
}

const OWN = new Set(['name', 'snippet', 'description', 'model', 'kind', 'oses', 'organizations', 'locations'])

/** Puts the description at the head of a text in place of an earlier one, of which unknown keys stay. */
export function withMetadata(template: string, metadata: Readonly<Record<string, unknown>>): string {
  const head = headOf(template)
  const before = head ? read(head.yaml) : undefined
  const isHead = head !== null && isPlain(before)
  const others = isHead ? Object.entries(before).filter(([key]) => !OWN.has(key)) : []
  const yaml = stringify({ ...metadata, ...Object.fromEntries(others) }, { indentSeq: false })
  return `<%#\n${yaml}-%>\n${isHead ? template.slice(head.length) : template}`
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
    ...textOf(found, 'kind'),
    ...textOf(found, 'description'),
    ...(typeof found.snippet === 'boolean' && { snippet: found.snippet }),
    ...wordsOf(found, 'oses'),
    ...wordsOf(found, 'organizations'),
    ...wordsOf(found, 'locations'),
  }
}

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

/** Finds the comment at the head of a template, and where it ends. */
export function headOf(template: string): { readonly yaml: string; readonly length: number } | null {
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
