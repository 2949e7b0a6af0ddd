import type { RecordedCompletion } from './recorded.ts'

/** A reason why suggestions differ from the recorded ones. */
export interface CompletionRule {
  readonly id: string
  readonly sentence: string
  readonly covers: (record: RecordedCompletion, ours: readonly string[] | string) => boolean
}

/** The first rule that applies is the reason. */
export const COMPLETION_RULES: readonly CompletionRule[] = [
  {
    id: 'half-typed',
    sentence:
      'A condition that is still being typed is completed, or nothing is suggested; the recorded server checks it already.',
    covers: ({ prefix, error }, ours) => error !== undefined && Array.isArray(ours) && !/[\s),]$/.test(prefix),
  },
  {
    id: 'unknown-key',
    sentence: 'A key that no record has gets no suggestions, and a key is everything behind the first dot.',
    covers: ({ prefix, error }) =>
      /^Field '\w+' not recognized/.test(error?.message ?? '') && /^(facts|params)\.\S+ = $/.test(prefix),
  },
  {
    id: 'open-quote',
    sentence: 'A value in a quote that is not closed is still being typed, whatever its last character.',
    covers: ({ prefix }, ours) =>
      /"[^"]*[ ,]$/.test(prefix) && Array.isArray(ours) && ours.every((label) => label.endsWith('"')),
  },
  {
    id: 'after-and',
    sentence: 'Behind `and` and `or` fields are suggested, also when the word before is a field.',
    covers: ({ prefix }, ours) =>
      /\b(managed|hostgroup) (and|or) $/.test(prefix) && Array.isArray(ours) && ours.length > 10,
  },
  {
    id: 'after-has',
    sentence: 'Behind `has` and `null?` only fields are suggested, behind the field only `and` and `or`.',
    covers: ({ prefix, suggestions = [] }, ours) => {
      const again = suggestions.filter((label) => !/ (not|has)$/.test(label))
      const joined = JSON.stringify(ours) === JSON.stringify([`${prefix} and`, `${prefix} or`])
      return /(has|null\?) \S+ ?$/.test(prefix) && (joined || JSON.stringify(ours) === JSON.stringify(again))
    },
  },
  {
    id: 'whole-keyword',
    sentence: '`or` without a blank behind it is not taken for the beginning of a field.',
    covers: ({ prefix }, ours) => /\sor$/i.test(prefix) && ours.length === 0,
  },
  {
    id: 'parenthesis',
    sentence: 'Behind a closing parenthesis `and` and `or` are suggested, not values.',
    covers: ({ prefix }, ours) =>
      prefix.endsWith(')') && JSON.stringify(ours) === JSON.stringify([`${prefix} and`, `${prefix} or`]),
  },
  {
    id: 'list',
    sentence: 'In a list that is not closed its next value is suggested; the recorded server suggests `and` and `or`.',
    covers: ({ prefix }, ours) =>
      /\^ \([^)]*, *\w*$/.test(prefix) && Array.isArray(ours) && ours.every((label) => label.endsWith('"')),
  },
  {
    id: 'refused',
    sentence:
      'A finished part that a search refuses (a date that is none, a parenthesis that closes nothing) is refused.',
    covers: ({ prefix }, ours) => typeof ours === 'string' && /^(\) |created_at = garbage )$/.test(prefix),
  },
  {
    id: 'quoted-values',
    sentence:
      'Suggested values are written so that they are read back: the values of a key stand in quotes, signed numbers too, and backslashes are escaped.',
    covers: ({ suggestions = [] }, ours) =>
      Array.isArray(ours) && JSON.stringify(ours.map(plain)) === JSON.stringify(suggestions.map(plain)),
  },
  {
    id: 'whole-decimals',
    sentence: 'Decimals are written as the database has them (`5`, not `5.0`).',
    covers: ({ suggestions = [] }, ours) =>
      Array.isArray(ours) &&
      JSON.stringify(ours.map(plain)) ===
        JSON.stringify(suggestions.map((label) => plain(label).replace(/\.0$/, '')).map(oneDecimal)),
  },
  {
    id: 'items',
    sentence:
      'Behind `^` no values are suggested that a list cannot hold: blank ones, with commas, or with blanks around.',
    covers: ({ prefix, suggestions = [] }, ours) => {
      if (!/\^ \(?$/.test(prefix) || !Array.isArray(ours)) return false
      const isItem = (label: string) => !/(?:\s{2}|\(\s)(?:""|"\s.*|.*\s"|.*,.*)$/.test(label)
      return JSON.stringify(ours.map(plain)) === JSON.stringify(suggestions.filter(isItem).map(plain))
    },
  },
  {
    id: 'values-in-use',
    sentence:
      'Values of a relation are those that some visible record leads to; the recorded server suggests all there are.',
    covers: ({ prefix, suggestions = [] }, ours) =>
      /^(host_collection|architecture) = /.test(prefix) &&
      Array.isArray(ours) &&
      ours.length < suggestions.length &&
      ours.every((label) => suggestions.includes(label)),
  },
]

function plain(label: string): string {
  return label.replace(/["\\]/g, '')
}

// The database keeps the zero of one of the recorded decimals.
function oneDecimal(label: string): string {
  return /(^|\s)1$/.test(label) ? `${label}.0` : label
}
