import type { Difference } from './answers.ts'
import type { ValueRule } from './differ.ts'
import type {
  Notation,
  Outcome,
  RecordedCast,
  RecordedMatch,
  RecordedPresentation,
  RecordedRequest,
  RecordedResolution,
  RecordedUpdate,
} from './recorded.ts'

/** A reason why what we make of a recorded case is not what was recorded; it says for which cases of which kind. */
export interface Rule {
  readonly id: string
  readonly sentence: string
  /** It accounts for single values that differ inside others. */
  readonly place?: ValueRule
  readonly casts?: (difference: Difference<RecordedCast>) => boolean
  readonly presentations?: (difference: Difference<RecordedPresentation>) => boolean
  readonly requests?: (difference: Difference<RecordedRequest>) => boolean
  readonly resolutions?: (difference: Difference<RecordedResolution>) => boolean
  readonly matches?: (difference: Difference<RecordedMatch>) => boolean
  readonly updates?: (difference: Difference<RecordedUpdate>) => boolean
}

export type Corpus = 'casts' | 'presentations' | 'requests' | 'resolutions' | 'matches' | 'updates'

/** The first rule that accounts for a difference, place by place or as a whole. */
export function ruleFor(corpus: Corpus, difference: Difference): Rule | undefined {
  const { places } = difference
  if (places.length > 0 && !places.includes(null)) return RULES.find(({ place }) => place && places.includes(place))
  // Each corpus is asked with its own records.
  return RULES.find((rule) => (rule[corpus] as ((difference: Difference) => boolean) | undefined)?.(difference))
}

/** In the order they are asked: the first that covers a difference is its reason. */
export const RULES: readonly Rule[] = [
  {
    id: 'date',
    sentence: 'Dates and times of YAML stay text (`2020-01-01`); to the recorded server they are dates, later refused.',
    place: 'date',
    casts: ({ record }) => holds(record.input, 'date'),
    presentations: ({ record }) => holds(record.stored, 'date', 'time'),
  },
  {
    id: 'symbol',
    sentence: 'Words behind a colon (`:a`, `::1`) stay text; to the recorded server they are symbols of its language.',
    place: 'symbol',
    casts: ({ record }) =>
      holds(record.input, 'symbol') || (isYaml(record.type) && /(^|[\s[{])::?["'\w]/.test(textOf(record))),
    presentations: ({ record }) => holds(record.stored, 'symbol'),
  },
  {
    id: 'base-60',
    sentence: 'Numbers to base 60 (`12:30`, `12:30:45`) stay text; to the recorded server 12:30 is 45000.',
    place: 'base-60',
  },
  {
    id: 'comma',
    sentence: 'A number with commas (`1,5`) stays text; the recorded server leaves the commas out.',
    place: 'comma',
  },
  {
    id: 'word-case',
    sentence:
      'Words of YAML count as they are written in its specification (`yes`, `Yes`, `YES`); to the recorded server in any case (`yEs`).',
    place: 'word-case',
  },
  {
    id: 'finite',
    sentence: 'Numbers are finite: `.inf` and `.nan` stay text, and what is too large (`1e400`) is refused.',
    place: 'finite',
    casts: ({ record }) => /infinity|nan|e\+?\d{3}/i.test(JSON.stringify([record.input, record.outcome])),
    presentations: ({ record }) => /Infinity|NaN/.test(JSON.stringify(record.stored)),
    requests: ({ record }) => record.json.includes('1e400'),
  },
  {
    id: 'zero',
    sentence: 'There is one zero: -0.0 is 0.0, as in a database.',
    place: 'zero',
    presentations: ({ record }) => JSON.stringify(record.stored).includes('-0.0'),
    requests: ({ record }) => record.json.includes('-0.0'),
  },
  {
    id: 'key',
    sentence:
      'Keys of maps are text (`1`, `true` and `null` by their text, `null` as the empty one); lists and maps are no keys.',
    place: 'key',
    casts: ({ record, answer }) =>
      answer.refused === 'has a list or map as a key' || hasOddKey(record.outcome.value ?? null),
    presentations: ({ record }) => hasOddKey(record.stored),
    resolutions: ({ record }) => hasOddKey(record.outcome.value ?? null),
  },
  {
    id: 'nul',
    sentence:
      'The character NUL is refused, and so are control characters in YAML; no database keeps the one, and the other is no YAML.',
    casts: ({ record }) => hasControl(record.input),
    presentations: ({ record }) => JSON.stringify(record.stored).includes('\\u0000'),
    requests: ({ record }) => record.json.includes('\\u0000'),
  },
  {
    id: 'lines',
    sentence:
      'A number is the whole text; the recorded server takes a text of several lines when one of them is a number.',
    casts: ({ record }) => isNumber(record.type) && textOf(record).includes('\n'),
  },
  {
    id: 'real',
    sentence:
      'A real is a real: `0x1F` and the integer 31 become 31.0, and `5.e3` is 5000.0; the recorded server keeps 31 and reads 5.0.',
    casts: ({ record, answer }) => record.type === 'real' && typeof answer.value === 'number',
    resolutions: ({ record, answer }) => record.parameter.type === 'real' && typeof answer.value === 'number',
    updates: ({ record, answer }) =>
      [record.before.parameter_type, record.update['parameter_type']].includes('real') &&
      typeof answer.value === 'number',
  },
  {
    id: 'number',
    sentence:
      'What is no whole number is refused as an integer, and what is no number at all as a number; the recorded server cuts 12.9 to 12 and makes null of lists, maps and truth values.',
    casts: ({ record, answer }) =>
      isNumber(record.type) && record.input_kind !== 'string' && answer.refused !== undefined,
    resolutions: ({ record, answer }) =>
      isNumber(record.parameter.type) && answer.absent === 'unfit' && record.outcome.value !== true,
    updates: ({ record, answer }) => isNumber(record.update['parameter_type']) && isInvalid(answer.messages),
  },
  {
    id: 'array-of-map',
    sentence: 'A map is no list; the recorded server makes a list of pairs of it.',
    casts: ({ record }) => record.type === 'array' && record.input_kind === 'hash',
    presentations: ({ record }) => record.stored_kind !== 'array' && record.type === 'array',
    resolutions: ({ record, answer }) =>
      record.parameter.type === 'array' && answer.absent === 'unfit' && Array.isArray(record.outcome.value),
    updates: ({ record, answer }) => record.update['parameter_type'] === 'array' && isInvalid(answer.messages),
  },
  {
    id: 'unfit-presented',
    sentence: 'Only a map is read back as a map; the recorded data presents other values with the type of maps.',
    presentations: ({ record }) => record.type === 'hash' && record.stored_kind !== 'hash',
  },
  {
    id: 'structure-text',
    sentence:
      'The text of a list or map is its JSON (`{"a": 1}`, `[null]`); on the recorded server a dump of its language (`{"a"=>1}`, `[nil]`).',
    casts: ({ record }) => record.type === 'string' && record.input_kind !== 'string',
    requests: ({ record }) => record.type === 'string' && /^[[{]/.test(record.json),
    resolutions: ({ record, answer }) => record.parameter.type === 'string' && String(answer.value).startsWith('{'),
    matches: ({ record, answer }) => record.parameter.type === 'hash' && JSON.stringify(answer.messages).includes('{'),
  },
  {
    id: 'null',
    sentence:
      'Null is no value of any type and clears what had one; the recorded server makes the empty text or false of it, or refuses it.',
    casts: ({ record }) => record.input === null,
    requests: ({ record }) => record.json === 'null',
  },
  {
    id: 'native',
    sentence:
      'Values that are no text are cast like texts, and fit yaml and json as they are; the recorded server refuses them, or stores them without a look.',
    casts: ({ record }) => isFree(record.type) && record.input_kind !== 'string',
    requests: ({ record }) => record.type === null && !record.json.startsWith('"'),
    matches: ({ record }) => typeof (record.input.value ?? '') !== 'string',
    updates: ({ record }) => isFree(record.update['parameter_type']) || 'parameter_type' in record.update,
  },
  {
    id: 'structure',
    sentence:
      'Lists and maps in requests are taken as they are, with null and maps in them; the recorded server refuses most, or takes null for the text "nil".',
    requests: ({ record }) => /^[[{]/.test(record.json),
  },
  {
    id: 'tag',
    sentence:
      'Of the tags of YAML those for null, truth values, integers, reals, text, lists and maps may be used on what they are for; the others are refused.',
    casts: ({ record }) => isYaml(record.type) && textOf(record).includes('!'),
  },
  {
    id: 'merge-key',
    sentence: '`<<` merges maps only, not what is quoted, and never over keys of the map itself, as YAML says.',
    casts: ({ record }) => isYaml(record.type) && textOf(record).includes('<<'),
  },
  {
    id: 'json',
    sentence:
      'JSON is JSON: unknown escapes, comments, NaN and objects of the language (`json_class`) are refused, or are only data.',
    casts: ({ record }) => record.type === 'json',
  },
  {
    id: 'yaml',
    sentence:
      'What is YAML is decided by the grammar of a maintained library: text behind the end (`[1]]`), `[-]`, `{k: ::1}` and some other borders of the syntax.',
    casts: ({ record }) => isYaml(record.type) && record.input_kind === 'string',
  },
  {
    id: 'empty-yaml',
    sentence: 'YAML without content is no value; to the recorded server it is false, later null.',
    requests: ({ record }) => record.type === 'yaml' && /^"\s*"$/.test(record.json),
    matches: ({ record }) => record.parameter.type === 'yaml' && String(record.input.value).trim() === '',
    resolutions: ({ record, answer }) =>
      record.parameter.type === 'yaml' && answer.absent === 'no_value' && record.outcome.value === false,
    updates: ({ record }) =>
      record.before.parameter_type === 'yaml' && String(record.update['default_value']).trim() === '',
  },
  {
    id: 'merge-data',
    sentence:
      'Values of json and yaml may be merged as those of maps and lists are, as later servers do; the recorded server refuses that.',
    resolutions: ({ record }) => record.parameter.merge_overrides && isFree(record.parameter.type),
    updates: ({ record }) => mergesData(record),
  },
  {
    id: 'no-recast',
    sentence:
      'What a request does not send is not cast again, unless the type changes; the recorded server casts every text at every save.',
    updates: ({ record }) => isFree(record.before.parameter_type) && !('parameter_type' in record.update),
  },
  {
    id: 'regexp-first',
    sentence:
      'A regexp that cannot be read is refused when it is set; by the recorded server when the first text is compared with it.',
    updates: ({ record, answer }) => record.update['validator_type'] === 'regexp' && answer.failure !== undefined,
  },
  {
    id: 'order-line',
    sentence:
      'Lines of an order are without blanks, empty elements, repeated lines and carriage returns; the recorded server keeps them in its way.',
    matches: ({ record }) => /,,|^,|,$/m.test(record.order.effective),
    updates: ({ record }) => /\r|,,/.test(String(record.update['override_value_order'])),
  },
  {
    id: 'match-crash',
    sentence: 'A match text with an empty part (`=`, `a=b,,c=d`) is invalid; the recorded server fails inside.',
    matches: ({ record, answer }) =>
      record.outcome.exception !== undefined && Boolean(answer.messages?.includes('Match is invalid')),
  },
  {
    id: 'match-word',
    sentence:
      'Whether a host or host group exists is asked for the attributes fqdn and hostgroup; the recorded server asks for every one that ends so.',
    matches: ({ record }) => /_?\w+(fqdn|hostgroup)=/.test(String(record.input.match)),
  },
  {
    id: 'match-text',
    sentence: 'A match is a text; what is none is refused by its JSON, not by a word of the language.',
    matches: ({ record }) => typeof record.input.match !== 'string',
  },
  {
    id: 'unfit',
    sentence: 'A value that does not fit its type is left out, and says so; the recorded server sends true instead.',
    resolutions: ({ record, answer }) => answer.absent === 'unfit' && record.outcome.value === true,
  },
  {
    id: 'null-default',
    sentence: 'A list, map or yaml without a default has no value; the recorded server sends true.',
    resolutions: ({ record, answer }) =>
      answer.absent === 'no_value' && record.outcome.value === true && winnerOf(record) === undefined,
  },
  {
    id: 'null-winner',
    sentence:
      'A null that was chosen is no value; the recorded server casts the default instead, and may fail or send true.',
    resolutions: ({ record, answer }) => answer.absent === 'no_value' && winnerOf(record) === null,
  },
  {
    id: 'merge-default-text',
    sentence: 'A default that was typed while it was omitted is cast before it is merged; the recorded server fails.',
    resolutions: ({ record, answer }) =>
      record.outcome.error?.kind === 'merge_value' &&
      typeof record.parameter.default === 'string' &&
      answer.value !== undefined,
  },
  {
    id: 'merge-null',
    sentence: 'A stored null takes no part in merging; the recorded server fails.',
    resolutions: ({ record, answer }) => record.outcome.error?.kind === 'merge_value' && answer.value !== undefined,
  },
  {
    id: 'template-tag',
    sentence:
      'A template is a text with a complete tag (`<% … %>`); the recorded server also renders what only begins one, and `%%`.',
    resolutions: ({ record }) =>
      record.tags.includes('template') &&
      /<%/.test(JSON.stringify([record.parameter.default, record.matchers])) &&
      !/<%.*?%>/s.test(templateOf(record)),
  },
  {
    id: 'template-escape',
    sentence:
      '`<%%>` is left to the template engine; later versions of the recorded server leave texts of four characters alone.',
    resolutions: ({ record }) => templateOf(record).includes('<%%>'),
  },
  {
    id: 'template-inside',
    sentence:
      'Texts inside lists and maps are rendered where they stand, in json and yaml too; the recorded server renders their JSON or YAML and trips over quotes.',
    resolutions: ({ record, answer }) => record.tags.includes('nested') && answer.value !== undefined,
  },
  {
    id: 'owner',
    sentence: 'An owner with one name is that name, without a blank behind it that no match text could have.',
    resolutions: ({ record }) => record.host.owner?.firstname === 'Op',
  },
  {
    id: 'own-order',
    sentence:
      'A parameter is resolved by its own order; on the recorded server lines of other parameters of the host count too, and two hits in unlike lines fail.',
    resolutions: ({ record }) => record.neighbours !== undefined || record.outcome.error?.kind === 'order_mismatch',
  },
]

function holds(noted: Notation, ...kinds: string[]): boolean {
  return kinds.some((kind) => JSON.stringify(noted).includes(`{"${kind}":`))
}

function hasOddKey(noted: Notation): boolean {
  if (noted === null || typeof noted !== 'object') return false
  if (Array.isArray(noted)) return noted.some(hasOddKey)
  const entries = 'map' in noted ? (noted['map'] as readonly [Notation, Notation][]) : [] // as the notation says
  return entries.some(([key, value]) => typeof key !== 'string' || hasOddKey(value))
}

function hasControl(input: Notation): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return typeof input === 'string' && /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\\u0000|\\0/.test(input)
}

function textOf({ input }: RecordedCast): string {
  return typeof input === 'string' ? input : ''
}

function isYaml(type: unknown): boolean {
  return type === 'yaml' || type === 'array' || type === 'hash'
}

function isFree(type: unknown): boolean {
  return type === 'yaml' || type === 'json'
}

function isNumber(type: unknown): boolean {
  return type === 'integer' || type === 'real'
}

function isInvalid(messages: readonly string[] | undefined): boolean {
  return Boolean(messages?.some((message) => message.endsWith('is invalid')))
}

// What was chosen from the matchers, undefined when nothing was.
function winnerOf({ winner }: RecordedResolution): Notation | undefined {
  return winner?.value
}

function templateOf({ parameter, matchers }: RecordedResolution): string {
  return JSON.stringify([parameter.default, matchers.map(({ value }) => value)]).replaceAll('\\n', '\n')
}

/** The outcome that we hold ourselves to: of resolutions the later one, where ties do not depend on the order of rows. */
export function wanted({ outcome, outcome_later }: RecordedResolution): Outcome {
  return outcome_later ?? outcome
}

/** Whether values are to be merged of which only each one tells whether it is a list or a map. */
function mergesData({ before, update }: RecordedUpdate): boolean {
  const type = update['parameter_type'] ?? before.parameter_type
  return (type === 'json' || type === 'yaml') && update['merge_overrides'] === true
}
