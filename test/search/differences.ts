import { readInterval } from '../../src/search/dates.ts'
import type { SearchField } from '../../src/search/index.ts'
import { DATE_RULES, dateRule } from './date-differences.ts'
import { readAsOriginal, type Tree } from './original.ts'
import { NOW, type RecordedQuery, SCHEMAS, tableRows } from './recorded.ts'

/** Our result for a recorded search: a tree if it can be parsed, then records or a refusal. */
export interface Answer {
  readonly tree?: Tree
  readonly ids?: readonly number[]
  readonly message?: string
}

/** A reason why a result differs from the recorded one. */
export interface Rule {
  readonly id: string
  readonly sentence: string
  readonly covers: (difference: Difference) => boolean
}

export interface Difference {
  readonly record: RecordedQuery
  readonly answer: Answer
}

/** The first rule that covers a difference is its reason. */
export const RULES: readonly Rule[] = [
  forgiven(
    'stray-operator',
    'operator',
    'An operator without an operand (`name =`, `a or`, `and a`, `a or or b`) is refused; the recorded server drops it.',
  ),
  forgiven(
    'stray-parenthesis',
    'parenthesis',
    'A parenthesis that closes nothing or holds nothing is refused; the recorded server drops everything behind it, or applies it to the next word.',
  ),
  forgiven(
    'stray-comma',
    'comma',
    'A comma stands between two conditions of any kind and nowhere else; the recorded server skips it, or applies it to what follows.',
  ),
  forgiven(
    'list-values',
    'list',
    'A list holds only values, and one with more than a value stands in parentheses when no field is named; the recorded server skips what is no value.',
  ),
  {
    id: 'message-external',
    sentence: 'The message of a field that compares by itself is its own.',
    covers: ({ record, answer }) =>
      /^external method/.test(record.error?.message ?? '') && /^capacity is/.test(answer.message ?? ''),
  },
  {
    id: 'message-order-key',
    sentence: 'Ordering by a key/value field is refused in words; the recorded server shows its SQL.',
    covers: ({ record, answer }) =>
      /^Cannot handle :keycondition/.test(record.error?.message ?? '') &&
      /^the field 'params\./.test(answer.message ?? ''),
  },
  {
    id: 'order-direction',
    sentence:
      'Behind the field of an order stands `asc`, `desc` or nothing; the recorded server takes everything but exactly `desc` for ascending.',
    covers: ({ record, answer }) =>
      /^an order is one field/.test(answer.message ?? '') && !/^\S+( (asc|desc))?$/i.test(record.order ?? ''),
  },
  {
    id: 'order-blanks',
    sentence:
      'Blanks around an order do not count; in front of it the recorded server refuses them, behind it they make it ascending.',
    covers: ({ record, answer }) =>
      answer.ids !== undefined && record.order !== null && record.order !== record.order.trim(),
  },
  {
    id: 'order-yes-no',
    sentence: 'A yes/no field orders by no and yes, also when it stands for a number.',
    covers: ({ record, answer }) =>
      /^(report|status)\.interesting\b/.test(record.order ?? '') && sameSet(record, answer),
  },
  {
    id: 'no-field',
    sentence:
      'A word or comparison that no field of free text can answer is refused; the recorded server leaves it out.',
    covers: ({ record, answer }) =>
      /^No field is searched for/.test(answer.message ?? '') &&
      (record.tags?.includes('no-default-field') || record.error !== undefined),
  },
  {
    id: 'year-or-number',
    sentence:
      'Four digits behind an operator, without a field, may be a year or a number and are refused; the recorded server asks numbers, or leaves them out.',
    covers: ({ answer }) => /^'\d{4}' may be a year or a number/.test(answer.message ?? ''),
  },
  {
    id: 'date-dropped',
    sentence: 'A date that cannot be understood is refused; the recorded server leaves its condition out.',
    covers: ({ record, answer }) => refusedDate(answer) !== null && (record.tags ?? []).includes('date-dropped'),
  },
  {
    id: 'date-operator',
    sentence:
      'An operator that dates do not have is refused whatever the value; the recorded server leaves the condition out when the value is no date.',
    covers: ({ record, answer }) =>
      /is not supported for field type 'date(time)?'/.test(answer.message ?? '') &&
      (record.tags ?? []).includes('date-dropped'),
  },
  ...DATE_RULES.map(({ id, sentence }) => ({
    id,
    sentence,
    covers: (difference: Difference) => datesOf(difference).includes(id),
  })),
  {
    id: 'crash-refused',
    sentence: 'What made the recorded server fail inside is refused with 400.',
    covers: ({ record, answer }) => crashed(record) && answer.message !== undefined,
  },
  {
    id: 'crash-answered',
    sentence:
      'Numbers beyond 32 bits, conditions without records and the like find what they say; the recorded server fails inside.',
    covers: ({ record, answer }) => crashed(record) && answer.ids !== undefined,
  },
  {
    id: 'number-written',
    sentence:
      'Whole numbers may have a sign and blanks around them on every field; the recorded server allows it on some.',
    covers: ({ record, answer }) =>
      /^Value '(\s*[+]?\d+\s*)' is not valid/.test(record.error?.message ?? '') && answer.message === undefined,
  },
  {
    id: 'number-list-blank',
    sentence: 'The items of a list are trimmed before they are looked at.',
    covers: ({ record, answer }) =>
      /^Value '\s+\d*' is not valid/.test(record.error?.message ?? '') &&
      (answer.ids !== undefined || /^Value '' is not valid/.test(answer.message ?? '')),
  },
  {
    id: 'number-bits',
    sentence:
      'A number packed into a column is compared with whole numbers only; the recorded server reads the digits at the beginning of anything.',
    covers: ({ answer }) => /^Value '.*' is not valid for field 'status_bits'$/s.test(answer.message ?? ''),
  },
  {
    id: 'key-empty',
    sentence: 'A key/value field with a dot and no key (`facts.`) is no field.',
    covers: ({ answer }) => /^Field '(facts|params)\.' not recognized/.test(answer.message ?? ''),
  },
  {
    id: 'key-path',
    sentence:
      'The key is everything behind the first dot (`params.x.y` is about `x.y`); to the recorded server what is behind the last.',
    covers: ({ answer }) => answer.ids !== undefined && keysOf(answer.tree).some((name) => name.split('.').length > 2),
  },
  {
    id: 'key-twice',
    sentence: 'A record with two values for a key is found once.',
    covers: ({ record, answer }) =>
      record.result !== undefined && record.tags?.includes('duplicates') === true && sameSet(record, answer),
  },
  {
    id: 'key-condition',
    sentence:
      'A key/value condition is a condition like others, inside `or` and `not` too; to the recorded server it restricts the whole search to records that have the key.',
    covers: ({ record, answer }) => {
      const keys = keysOf(answer.tree)
      if (!record.result || !answer.ids || keys.length === 0) return false
      // Where a host has two values, the recorded server compares each separately.
      const once = (ids: readonly number[]) => ids.filter((id) => keys.every((key) => rowsOfKey(id, key) === 1))
      const theirs = once([...new Set(record.result.ids)]).sort(ascending)
      return theirs.join() === once(answer.ids).sort(ascending).join() || (record.tags ?? []).includes('key-null-shift')
    },
  },
  {
    id: 'not-has-many',
    sentence:
      '`not has mac` means that no related row has a value, `not null? mac` the opposite of `null? mac`; the recorded server negates row by row.',
    covers: ({ record, answer }) => answer.ids !== undefined && negatedPresence(answer.tree, record.resource),
  },
]

/**
 * Tells whether a result equals the recorded one: tree, records and message; records of equal order may come in any order.
 */
export function isRecorded(record: RecordedQuery, answer: Answer): boolean {
  if (record.error)
    return record.error.class === 'ScopedSearch::QueryNotSupported' && record.error.message === answer.message
  if (!record.result || !answer.ids || JSON.stringify(record.ast) !== JSON.stringify(answer.tree)) return false
  const { ids, ordered, runs = ids.map(() => 1) } = record.result
  if (!ordered) return sameSet(record, answer) && ids.length === answer.ids.length
  if (ids.length !== answer.ids.length) return false
  let start = 0
  for (const length of runs) {
    const wanted = ids.slice(start, start + length).sort(ascending)
    const found = answer.ids.slice(start, start + length).sort(ascending)
    if (wanted.join() !== found.join()) return false
    start += length
  }
  return true
}

function forgiven(id: string, what: 'operator' | 'parenthesis' | 'comma' | 'list', sentence: string): Rule {
  return {
    id,
    sentence,
    covers: ({ record, answer }) => {
      const original = readAsOriginal(record.search ?? '')
      const same = JSON.stringify(original.tree ?? original.message) === JSON.stringify(answer.tree ?? answer.message)
      return original.forgiven.has(what) && !same
    },
  }
}

function crashed(record: RecordedQuery): boolean {
  return record.error !== undefined && record.error.class !== 'ScopedSearch::QueryNotSupported'
}

// Lists the rules of dates that apply to values compared with date fields, or to words where a date field is part of free
// text.
function datesOf({ record, answer }: Difference): string[] {
  const refused = refusedDate(answer)
  const values = refused === null ? dateValues(answer.tree, record.resource) : [refused]
  return values.flatMap((value) => dateRule(value, readInterval(value, NOW, record.zone ?? 'UTC'))?.id ?? [])
}

function refusedDate(answer: Answer): string | null {
  return /^'(.*)' is no date or time/s.exec(answer.message ?? '')?.[1] ?? null
}

function dateValues(tree: Tree | undefined, resource: string): string[] {
  const dates = fieldsOf(resource).filter((field) => field.type === 'date' || field.type === 'datetime')
  const free = dates.some((field) => !field.explicit)
  const isDate = (name: Tree) => dates.some((field) => field.name === name || field.aliases?.includes(String(name)))
  return leaves(tree).flatMap((leaf) => {
    if (typeof leaf === 'string') return free ? [leaf] : []
    if (leaf.length === 2) return free && leaf[0] !== 'has' && leaf[0] !== 'null' ? [String(leaf[1])] : []
    return isDate(leaf[1] as Tree) ? [String(leaf[2])] : []
  })
}

function keysOf(tree: Tree | undefined): string[] {
  return leaves(tree).flatMap((leaf) => {
    if (typeof leaf === 'string') return []
    const name = String(leaf[1])
    const isPresence = leaf[0] === 'notnull' || leaf[0] === 'null'
    const isKey = /^params(\.|$)/.test(name) || (isPresence && /^facts(\.|$)/.test(name))
    return isKey && (isPresence || leaf.length === 3) ? [name] : []
  })
}

// Counts the rows of a host with the key of a field like params.role, with or without a value.
function rowsOfKey(host: number, name: string): number {
  const kind = name.startsWith('params') ? 'param' : 'fact'
  const key = tableRows(`${kind}_names`).find((row) => row.name === name.slice(name.lastIndexOf('.') + 1))
  return tableRows(`${kind}_values`).filter((row) => row.host_id === host && row[`${kind}_name_id`] === key?.id).length
}

function negatedPresence(tree: Tree | undefined, resource: string): boolean {
  if (tree === undefined || typeof tree === 'string') return false
  const many = fieldsOf(resource).filter((field) => field.many)
  if (tree[0] !== 'not') return tree.slice(1).some((part) => negatedPresence(part, resource))
  return leaves(tree[1]).some(
    (leaf) =>
      typeof leaf !== 'string' &&
      (leaf[0] === 'notnull' || leaf[0] === 'null') &&
      many.some(({ name }) => name === leaf[1]),
  )
}

function leaves(tree: Tree | undefined): (string | readonly [string, ...Tree[]])[] {
  if (tree === undefined) return []
  if (typeof tree === 'string' || !['and', 'or', 'not'].includes(tree[0])) return [tree]
  return tree.slice(1).flatMap((part) => leaves(part))
}

function fieldsOf(resource: string): readonly SearchField[] {
  return SCHEMAS[resource]?.fields ?? []
}

function sameSet(record: RecordedQuery, answer: Answer): boolean {
  const wanted = [...new Set(record.result?.ids)].sort(ascending)
  return wanted.join() === [...(answer.ids ?? [])].sort(ascending).join()
}

function ascending(a: number, b: number): number {
  return a - b
}
