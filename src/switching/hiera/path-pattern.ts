import { attributesOf, NOBODY } from '../../classification/attributes.ts'

/** A path or glob of a level, which names a file for the values of some attributes. */
export interface PathPattern {
  readonly text: string
  /** The attributes of a line of the order, without repetition. Without any the files are for all hosts. */
  readonly attributes: readonly string[]
  /** Yields the values that name the file; null if none do, or `ambiguous` if several may. */
  readonly match: (file: string) => readonly string[] | 'ambiguous' | null
}

/** The words of the hierarchy for what matchers call otherwise. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  'trusted.certname': 'fqdn',
  'trusted.hostname': 'shortname',
  'trusted.domain': 'networking::domain',
  clientcert: 'fqdn',
  fqdn: 'fqdn',
  certname: 'fqdn',
  hostname: 'shortname',
  'networking.fqdn': 'fqdn',
  'networking.hostname': 'shortname',
  'server_facts.environment': 'environment',
  'os.name': 'os::name',
}

/** Host attributes that have other values than the variable. */
const OTHER_VALUES = new Set(['operatingsystem', 'operatingsystem_name', 'os', 'name'])

/** Names of hosts' attributes that are variables of manifests with the same values, too. */
const SAME_VALUES = new Set(['environment', 'hostgroup', 'domain', 'architecture', 'organization', 'location'])

const OWN = attributesOf(NOBODY)

/** Parses a path or glob, or yields the reason why nothing here is like it. */
export function parsePattern(text: string, isGlob: boolean): PathPattern | { readonly reason: string } {
  const places: string[] = []
  const parts: string[] = []
  let from = 0
  for (const found of text.matchAll(/%\{([^}]*)\}/g)) {
    const attribute = readVariable((found[1] ?? '').trim())
    if (typeof attribute !== 'string') return { reason: `${text}: ${attribute.reason}` }
    parts.push(toExpression(text.slice(from, found.index), isGlob))
    places.push(attribute)
    from = found.index + found[0].length
  }
  parts.push(toExpression(text.slice(from), isGlob))
  if (parts.length > 2 && parts.slice(1, -1).includes(''))
    return { reason: `${text}: two variables follow each other without a text between them` }
  const build = (any: string) => new RegExp(`^${parts.join(any)}$`)
  const [greedy, lazy] = [build('([^/]+)'), build('([^/]+?)')]
  const attributes = [...new Set(places)]
  return {
    text,
    attributes,
    match: (file) => {
      const values = greedy.exec(file)?.slice(1)
      if (!values) return null
      if (values.join('/') !== lazy.exec(file)?.slice(1).join('/')) return 'ambiguous'
      const byName = new Map(places.map((place, at) => [place, values[at] ?? '']))
      const agree = places.every((place, at) => byName.get(place) === values[at])
      return agree ? [...byName.values()] : null
    },
  }
}

function readVariable(variable: string): string | { readonly reason: string } {
  if (variable.includes('(')) return { reason: `the function ${variable.replace(/\(.*/, '')} is unknown here` }
  const name = variable.replace(/^::/, '').replace(/^facts\./, '')
  if (!/^[a-z0-9_]+(?:\.[a-z0-9_-]+)*$/.test(name)) return { reason: `nothing here is like the variable ${variable}` }
  const known = ATTRIBUTES[name]
  if (known !== undefined) return known
  if (/^(?:trusted|server_facts)\./.test(name)) return { reason: `nothing here is like the variable ${variable}` }
  const attribute = name.replaceAll('.', '::')
  if (OTHER_VALUES.has(attribute) || (OWN.has(attribute) && !SAME_VALUES.has(attribute)))
    return { reason: `the attribute ${attribute} has other values here than the variable ${variable}` }
  return attribute
}

/** Translates the text between variables; in globs with wildcards. */
function toExpression(text: string, isGlob: boolean): string {
  if (!isGlob) return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return text.replace(/\*\*\/|\*+|\{[^{}]*\}|[\\^$.+?()[\]{}|]/g, (sign) => {
    if (sign === '**/') return '(?:.*/)?'
    if (sign.startsWith('*')) return '[^/]*'
    if (sign === '?') return '[^/]'
    if (sign.startsWith('{') && sign.length > 1)
      return `(?:${sign
        .slice(1, -1)
        .split(',')
        .map((one) => toExpression(one, true))
        .join('|')})`
    return sign === '[' || sign === ']' ? sign : `\\${sign}`
  })
}
