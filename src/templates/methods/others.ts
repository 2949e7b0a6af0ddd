import { keyOf } from '../compare.ts'
import { fail } from '../error.ts'
import { search } from '../parser/regexps.ts'
import { inspect, textOf } from '../text.ts'
import { Hash, type Machine, type Match, type Proc, type Regexp, Sym, type Value } from '../values.ts'
import { count, countText, createTable } from './table.ts'

/** Methods of nil. */
export const NIL = createTable<null>({
  to_s: [0, 0, () => ''],
  to_a: [0, 0, () => []],
  to_h: [0, 0, () => new Hash()],
  to_i: [0, 0, () => 0n],
  to_f: [0, 0, () => 0],
})

/** Methods of symbols: many of those of texts, applied to their text. */
export const SYMBOL = createTable<Sym>(
  {
    to_sym: [0, 0, (self) => self],
    to_proc: [0, 0, (self) => fail(`pass the symbol with &: &:${self.name}`)],
    length: [0, 0, (self, _args, machine) => machine.send(self.name, 'length')],
    '[]': [1, 2, (self, args, machine) => machine.send(self.name, '[]', args)],
    'start_with?': [1, 20, (self, args, machine) => machine.send(self.name, 'start_with?', args)],
    'end_with?': [1, 20, (self, args, machine) => machine.send(self.name, 'end_with?', args)],
    upcase: [0, 0, (self, _args, machine) => new Sym(countText(self.name.toUpperCase(), machine))],
    downcase: [0, 0, (self, _args, machine) => new Sym(countText(self.name.toLowerCase(), machine))],
    capitalize: [0, 0, (self, _args, machine) => new Sym(textOf(machine.send(self.name, 'capitalize'), machine))],
    'empty?': [0, 0, (self) => self.name === ''],
    to_s: [0, 0, (self) => self.name],
  },
  { size: 'length', name: 'to_s', id2name: 'to_s' },
)

/** Methods of regular expressions. */
export const REGEXP = createTable<Regexp>({
  match: [1, 1, (self, [text = null], machine) => (isText(text) ? search(self, textOf(text, machine), machine) : null)],
  'match?': [
    1,
    1,
    (self, [text = null], machine) => isText(text) && matchesQuietly(self, textOf(text, machine), machine),
  ],
  '=~': [1, 1, (self, [text = null], machine) => placeOf(self, text, machine)],
  '===': [
    1,
    1,
    (self, [text = null], machine) => isText(text) && search(self, textOf(text, machine), machine) !== null,
  ],
  source: [0, 0, (self) => self.source],
  to_s: [0, 0, (self) => formatEmbedded(self)],
})

/** Methods of match results. */
export const MATCH = createTable<Match>({
  '[]': [1, 1, (self, [key = null]) => groupOf(self, key)],
  to_a: [0, 0, (self) => [...self.groups]],
  captures: [0, 0, (self) => self.groups.slice(1)],
  named_captures: [0, 0, collectCaptures],
  names: [0, 0, (self) => [...self.names.keys()]],
  pre_match: [0, 0, (self) => self.text.slice(0, self.start)],
  post_match: [0, 0, (self) => self.text.slice(self.start + (self.groups[0] ?? '').length)],
  begin: [
    1,
    1,
    (self, [group]) =>
      count(group) === 0 ? countCharacters(self.text, self.start) : fail('begin is offered for 0 only'),
  ],
  inspect: [0, 0, (self, _args, machine) => inspect(self.groups[0] ?? null, machine)],
})

/** Methods of lambdas. */
export const PROC = createTable<Proc>(
  {
    call: [0, 50, (self, args) => self.block.call(args)],
    to_proc: [0, 0, (self) => self],
    arity: [0, 0, (self) => BigInt(self.block.parameters)],
  },
  { '[]': 'call', yield: 'call', '===': 'call' },
)

/** Yields the position of the first match in characters, and sets `$~`. */
export function placeOf(regexp: Regexp, text: Value, machine: Machine): Value {
  if (!isText(text)) return null
  const match = search(regexp, textOf(text, machine), machine)
  return match === null ? null : countCharacters(match.text, match.start)
}

/** Tells whether there is a match, like `match?`, without setting `$~`. */
export function matchesQuietly(regexp: Regexp, text: string, machine: Machine): boolean {
  const before = machine.match
  const found = search(regexp, text, machine) !== null
  machine.match = before
  return found
}

function isText(value: Value): boolean {
  return typeof value === 'string' || value instanceof Sym
}

function countCharacters(text: string, halves: number): bigint {
  return BigInt([...text.slice(0, halves)].length)
}

function formatEmbedded(self: Regexp): string {
  const off = [...'mix'].filter((flag) => !self.flags.includes(flag)).join('')
  const on = [...'mix'].filter((flag) => self.flags.includes(flag)).join('')
  return `(?${on}${off === '' ? '' : `-${off}`}:${self.source})`
}

function groupOf(self: Match, key: Value): Value {
  if (typeof key === 'bigint') return self.groups.at(count(key)) ?? null
  const name = key instanceof Sym ? key.name : typeof key === 'string' ? key : fail('a group is a number or a name')
  if (!self.names.has(name)) return fail(`undefined group name reference: ${name}`)
  return self.names.get(name) ?? null
}

function collectCaptures(self: Match, _args: readonly Value[], machine: Machine): Value {
  const hash = new Hash()
  for (const [name, value] of self.names) hash.entries.set(keyOf(name, machine), [name, value])
  return hash
}
