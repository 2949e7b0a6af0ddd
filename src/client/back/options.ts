import { type Change, isBlank, REDACTED } from './changes.ts'
import type { BackKind, HammerOption } from './kinds.ts'
import type { Names } from './names.ts'
import { describeValue, type ManualStep, printValue, type Words } from './step.ts'

/** The word by which hammer clears a value. */
const NOTHING = 'NIL'

/** Builds the options of the values that have changed. */
export async function buildOptions(names: Names, kind: BackKind, change: Change): Promise<Words> {
  const { isCreated, before, after } = change
  const record = `${kind.words} ${change.name}`
  const words: string[] = []
  const manual: ManualStep[] = []
  const left = new Set(['title', 'cloned_from_id', kind.file, ...(kind.derived ?? [])])
  for (const [key, value] of Object.entries(after)) {
    const option = kind.options[key]
    if (left.has(key) || (isCreated && (isBlank(value) || (typeof option !== 'string' && value === false)))) continue
    const prompt = isCreated && value === REDACTED ? kind.asks?.[key] : undefined
    if (prompt) words.push(`--${prompt}`, 'true')
    const written = option && (await buildOption(names, renameOption(kind, option, key, isCreated), value, isCreated))
    if (written) words.push(...written)
    else manual.push(describeValue(record, key, before[key], value))
  }
  return { words, manual }
}

/** A record that is named by a key gets another name by another option. */
function renameOption({ by, words }: BackKind, option: HammerOption, key: string, isCreated: boolean): HammerOption {
  const isName = key === by || (key === 'name' && words !== 'os')
  return isName && !isCreated && typeof option === 'string' ? `new-${option}` : option
}

/** Builds an option with its value; null where hammer cannot express it. */
async function buildOption(
  names: Names,
  option: HammerOption,
  value: unknown,
  isCreated: boolean,
): Promise<string[] | null> {
  if (value === NOTHING || value === REDACTED) return null
  if (typeof option === 'string') return [`--${option}`, value === null ? NOTHING : printValue(value)]
  if ('word' in option) return value === true ? [`--${option.option}`, option.word] : null
  const word = isCreated ? option.option : (option.onUpdate ?? option.option)
  if (value === null) return [`--${word.replace(/-title$/, '')}-id`, NOTHING]
  const found = await Promise.all([value].flat().map((id) => names.find(option.of, Number(id))))
  const known = found.filter((name) => name !== null)
  if (known.length < found.length || known.includes(NOTHING)) return null
  return [`--${word}`, Array.isArray(value) ? printList(known) : (known[0] ?? '')]
}

function printList(names: readonly string[]): string {
  return names.every((name) => /^[a-z][\w. /@-]*$/i.test(name)) ? names.join(',') : JSON.stringify(names)
}
