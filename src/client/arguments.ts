import { findNearest } from '../config/nearest.ts'
import { usage } from './failure.ts'
import { type Group, loadManifest, type ManifestAction, type ManifestOption } from './manifest.ts'
import { isAnswer } from './values.ts'

/** A command of the command line, as it was found in the manifest. */
export interface Command {
  readonly name: string
  readonly group: Group
  readonly action: ManifestAction
  /** The words under which the command is documented: `auth-source ldap test`. */
  readonly words: string
}

/** The arguments behind the words of a command. */
export interface Rest {
  readonly words: readonly string[]
  /** Values by flag, in the order of the command line; a flag without a value has `true`. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** The options of every command, each with the form of its value (empty for a switch) and its description. */
export const COMMON: Readonly<Record<string, readonly [takes: string, doc: string]>> = {
  output: ['FORMAT', 'table, json, yaml, csv, jsonl or name.'],
  csv: ['', 'The same as --output csv.'],
  'csv-separator': ['TEXT', 'Separator of the values of CSV, instead of a comma.'],
  columns: ['LIST', 'Only these columns, a,b,c.'],
  fields: ['LIST', 'Another name of --columns.'],
  'no-headers': ['', 'Omits the headings of tables and CSV.'],
  query: ['EXPRESSION', 'A JMESPath expression for the answer; the default output is then JSON.'],
  all: ['', 'Prints all pages of a list.'],
  async: ['', 'Does not wait for the task that a command starts.'],
  quiet: ['', 'Prints only errors.'],
  'no-color': ['', 'No colours; so does NO_COLOR.'],
  context: ['NAME', 'Uses the server of this context.'],
  server: ['URL', 'Uses the server at this URL.'],
  ca: ['FILE', 'Certificates to trust, in PEM.'],
  'client-certificate': ['FILE', 'A client certificate for the login, in PEM.'],
  'client-key': ['FILE', 'Its key.'],
  help: ['', 'Prints the help of a command.'],
}

/** Moves common options that stand before the command behind it, because some people write them first. */
export function moveCommandFirst(argv: readonly string[]): readonly string[] {
  let at = 0
  for (let word = argv[at]; word?.startsWith('--'); word = argv[at]) {
    const [name = '', value] = word.slice(2).split('=', 2)
    const takes = COMMON[name]?.[0]
    if (takes === undefined) return argv
    at += takes === '' || value !== undefined ? 1 : 2
  }
  return at > 0 && at < argv.length ? [...argv.slice(at), ...argv.slice(0, at)] : argv
}

/** Yields the words before the first option. */
export function leadingWordsOf(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'))
  return argv.slice(0, end < 0 ? argv.length : end)
}

/** Finds the group whose name the words begin with, and the number of words in that name; the longest name wins. */
export function findGroup(words: readonly string[]): { name: string; group: Group; length: number } | null {
  const groups = Object.entries(loadManifest().groups)
  for (const length of [2, 1]) {
    const typed = words.slice(0, length).join(' ')
    if (words.length < length) continue
    const found = groups.find(([, group]) => group.words.includes(typed))
    if (found) return { name: found[0], group: found[1], length }
  }
  return null
}

/** Finds the command that the words name; an unknown word is answered with the nearest known one. */
export function findCommand(
  words: readonly string[],
  others: readonly string[] = [],
): { command: Command; length: number } {
  const found = findGroup(words)
  const [first = ''] = words
  if (!found) throw unknownWord(first, others)
  const { name, group, length } = found
  const word = words[length]
  const known = Object.values(group.actions)
  const action = known.find((each) => word !== undefined && each.words.includes(word))
  const title = group.words[0] ?? ''
  if (!action) {
    const below = belowOf(title)
    const all = [...known.flatMap((each) => each.words), ...below]
    if (word === undefined) {
      const first = [...known.map(({ words }) => words[0]), ...below]
      throw usage(`missing action: millwright ${title} ${first.join('|')}`)
    }
    throw usage(`${title} has no ${JSON.stringify(word)}${suggestKnown(word, all)}`)
  }
  return { command: { name, group, action, words: `${title} ${action.words[0]}` }, length: length + 1 }
}

/** Lists the second words of the groups whose first word is `word`. */
export function belowOf(word: string): string[] {
  const all = Object.values(loadManifest().groups).flatMap((group) => group.words)
  return all.filter((each) => each.startsWith(`${word} `)).map((each) => each.slice(word.length + 1))
}

function unknownWord(word: string, others: readonly string[]): Error {
  const all = Object.values(loadManifest().groups).flatMap((group) =>
    group.words.map((each) => each.split(' ')[0] ?? ''),
  )
  const below = belowOf(word)
  if (below.length > 0) return usage(`missing resource: millwright ${word} ${below.join('|')}`)
  return usage(`there is no command ${JSON.stringify(word)}${suggestKnown(word, [...all, ...others])}`)
}

/** Yields the end of a message about an unknown word: the nearest known one, or all of them. */
export function suggestKnown(word: string, known: readonly string[]): string {
  const best = findBeginningWith(word, known) ?? findNearest(word, sortAlike(word, known))
  return best ? `: did you mean ${best}?` : `: there are ${[...new Set(known)].toSorted().join(', ')}`
}

/** Yields the shortest known word that begins with what was typed. */
function findBeginningWith(word: string, known: readonly string[]): string | undefined {
  if (word.length < 3) return undefined
  return known.filter((each) => each.startsWith(word)).toSorted((a, b) => a.length - b.length)[0]
}

/** Sorts the words that begin alike to the front: of equally near words they are more likely meant. */
function sortAlike(word: string, known: readonly string[]): string[] {
  const isAlike = (each: string) => each.startsWith(word.slice(0, 1))
  return [...known.filter(isAlike), ...known.filter((each) => !isAlike(each))]
}

/** Yields the options of an action. */
export function optionsOf(action: ManifestAction): ManifestOption[] {
  const { options } = loadManifest()
  return action.options.map((index) => options[index]).filter((option) => option !== undefined)
}

/** Tells whether a command has to name one record. */
export function takesRecord(paths: readonly string[]): boolean {
  return paths.some((path) => /:id\b/.test(path))
}

/** Parses flags and words. `flags` says which flags there are and what they take; '' marks a switch. */
export function readRest(
  argv: readonly string[],
  flags: ReadonlyMap<string, string>,
  others: Group['flags'] = {},
): Rest {
  const words: string[] = []
  const values = new Map<string, string[]>()
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') {
      words.push(...argv.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word)
      continue
    }
    const { flag, inline, isNegated } = flagOf(word, flags, others)
    const other = flags.has(flag) ? undefined : others[flag]
    const takes = flags.get(other?.[0] ?? flag)
    const next = argv[at + 1]
    let value = inline ?? (isNegated ? 'false' : undefined)
    if (value === undefined && takes === '') value = 'true'
    if (value === undefined && (takes === 'b' || takes === 'q')) {
      const isSaid = next !== undefined && (takes === 'b' ? !next.startsWith('-') : isAnswer(next))
      value = isSaid ? next : 'true'
      if (isSaid) at++
    }
    if (value === undefined) {
      if (next === undefined || /^--[a-z]/.test(next)) throw usage(`--${flag} needs a value`)
      value = next
      at++
    }
    const named = other?.[0] ?? flag
    values.set(named, [...(values.get(named) ?? []), other ? convert(other[1], value) : value])
  }
  return { words, values }
}

const SHORT: Readonly<Record<string, string>> = { '-h': 'help', '-o': 'output', '-q': 'quiet' }

/** Converts a value given by an alias of an option to the form that the option takes. */
function convert(how: string, value: string): string {
  if (how === 'file') return `@${value}`
  if (how === 'same') return value
  const pairs = value.split(',').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return at < 1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  })
  return JSON.stringify(
    how === 'each' ? [Object.fromEntries(pairs)] : pairs.map(([name, text]) => ({ name, value: text })),
  )
}

function flagOf(word: string, flags: ReadonlyMap<string, string>, others: Group['flags'] = {}) {
  const at = word.indexOf('=')
  const name = at < 0 ? word : word.slice(0, at)
  const inline = at < 0 ? undefined : word.slice(at + 1)
  const flag = (SHORT[name] ?? name.replace(/^--/, '')).replaceAll('_', '-')
  if (name.startsWith('-') && !name.startsWith('--') && !SHORT[name]) throw usage(`${name} is no option`)
  if (flags.has(flag) || flags.has(others[flag]?.[0] ?? '')) return { flag, inline, isNegated: false }
  const ours = loadManifest().flags[flag]
  if (ours !== undefined && flags.has(ours)) return { flag: ours, inline, isNegated: false }
  const negated = flag.replace(/^no-/, '')
  if (negated !== flag && ['b', 'q'].includes(flags.get(negated) ?? ''))
    return { flag: negated, inline, isNegated: true }
  const best = findNearest(ours ?? flag, [...flags.keys()])
  throw usage(`--${flag} is not an option of this command${best ? `: did you mean --${best}?` : '; see --help'}`)
}
